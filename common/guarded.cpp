#include "common/guarded.hpp"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>

extern "C" {
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));  // of the program, from the linker
extern const char etext;                                                     // the end of its code
}

namespace ladder {
namespace {

struct Mapping {
  std::uintptr_t begin, end;  // guard pages included; empty where nothing was mapped yet
  bool in_use;                // else no page of it may be touched
  std::uintptr_t data;        // of the buffer between the guard pages
  std::size_t bytes;
};
std::array<Mapping, 32> mappings;
constexpr std::size_t most_to_keep = 1 << 20;  // bytes of a mapping that is not in use

char test_name[256];  // empty where there is none

// What a fault led to before: of a sanitizer, or the default.
struct sigaction previous;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void say(std::string_view text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

void say(std::uintptr_t number, unsigned base) {
  char digits[24];
  char* first = std::end(digits);
  do *--first = "0123456789abcdef"[number % base];
  while (number /= base);
  say({first, static_cast<std::size_t>(std::end(digits) - first)});
}

std::string_view access(const void* context) {
#ifdef __x86_64__
  const auto error = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR];
  return error & 2 ? "wrote" : "read";
#else
  static_cast<void>(context);
  return "touched";
#endif
}

// wrong: wrote 1 byte past the end of a buffer of 24 bytes
void say_overrun(const Mapping& mapping, std::uintptr_t address, const void* context) {
  const bool before = address < mapping.data;
  const std::uintptr_t distance = before ? mapping.data - address : address - (mapping.data + mapping.bytes) + 1;
  say("wrong: ");
  say(access(context));
  say(" ");
  say(distance, 10);
  say(distance == 1 ? " byte " : " bytes ");
  say(before ? "before the beginning" : "past the end");
  say(" of a buffer of ");
  say(mapping.bytes, 10);
  say(mapping.bytes == 1 ? " byte" : " bytes");
  if (test_name[0] != 0) {
    say(" in the test ");
    say(test_name);
  }
  say("\n");
}

// The program's own addresses on the way to the fault, as they are in its file: from them addr2line names the line.
void say_way() {
  void* frames[16];
  const int count = backtrace(frames, std::size(frames));
  const auto begin = reinterpret_cast<std::uintptr_t>(&__ehdr_start), end = reinterpret_cast<std::uintptr_t>(&etext);
  say("at:");
  for (int i = 0; i < count; ++i) {
    const auto frame = reinterpret_cast<std::uintptr_t>(frames[i]);
    if (frame < begin || frame >= end) continue;
    say(" 0x");
    say(__ehdr_start.e_type == ET_DYN ? frame - begin : frame, 16);
  }
  say("\n");
}

void on_fault(int, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Mapping& mapping : mappings) {
    if (!mapping.in_use || address < mapping.begin || address >= mapping.end) continue;
    say_overrun(mapping, address, context);
    say_way();
    _exit(1);
  }
  sigaction(SIGSEGV, &previous, nullptr);  // not ours: returning runs the faulting instruction again
}

void give_back(Mapping& mapping) {
  if (mapping.end != 0) munmap(reinterpret_cast<void*>(mapping.begin), mapping.end - mapping.begin);
  mapping = {};
}

// Mapping again takes far longer than a change of protection: a mapping of the same size is reused.
Mapping& take_mapping(std::size_t bytes) {
  const std::size_t page = page_size(), inner = bytes - 2 * page;
  Mapping* place = nullptr;
  for (Mapping& mapping : mappings) {
    if (mapping.in_use) continue;
    if (place == nullptr || mapping.end == 0) place = &mapping;
    if (mapping.end - mapping.begin != bytes) continue;
    place = &mapping;
    break;
  }
  if (place == nullptr) throw std::length_error("too many guarded buffers at a time");
  const bool again = place->end - place->begin == bytes;
  if (!again) {
    give_back(*place);
    void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    *place = {begin, begin + bytes, false, 0, 0};
  }
  if (inner > 0) {
    void* bytes_between = reinterpret_cast<void*>(place->begin + page);
    if (mprotect(bytes_between, inner, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    if (again) std::memset(bytes_between, 0, inner);  // pages that were never written take no memory: let them be
  }
  place->in_use = true;
  return *place;
}

}  // namespace

void name_test(std::string_view suite, std::string_view test) {
  char* end = test_name;
  for (const std::string_view part : {suite, std::string_view("."), test}) {
    end = std::copy_n(part.data(), std::min(part.size(), static_cast<std::size_t>(std::end(test_name) - 1 - end)), end);
  }
  *end = 0;
}

GuardedBuffer::GuardedBuffer(std::size_t bytes, Against side) : bytes_(bytes) {
  static const int installed = [] {
    void* frame;
    backtrace(&frame, 1);  // the first call loads a library, which a handler must not do
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    return sigaction(SIGSEGV, &action, &previous);
  }();
  if (installed != 0) throw std::bad_alloc();
  if (bytes > PTRDIFF_MAX) throw std::length_error("no buffer can have that many bytes");

  const std::size_t page = page_size();
  const std::size_t inner = (bytes + page - 1) / page * page;
  mapped_ = inner + 2 * page;
  Mapping& mapping = take_mapping(mapped_);
  mapping_ = reinterpret_cast<std::byte*>(mapping.begin);
  data_ = side == Against::front ? mapping_ + page : mapping_ + page + inner - bytes;
  mapping.data = reinterpret_cast<std::uintptr_t>(data_);
  mapping.bytes = bytes;
}

GuardedBuffer::~GuardedBuffer() {
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping_);
  Mapping& mapping = *std::ranges::find(mappings, begin, &Mapping::begin);
  mapping.in_use = false;
  if (mapped_ > most_to_keep || mprotect(mapping_, mapped_, PROT_NONE) != 0) give_back(mapping);
}

}  // namespace ladder
