#include "common/guarded.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

namespace ladder {
namespace {

struct Mapping {
  std::uintptr_t begin, end;  // guard pages included; empty where nothing was mapped yet
  bool in_use;                // else no page of it may be touched
};
std::array<Mapping, 32> mappings;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void say(std::string_view text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

void on_fault(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Mapping& mapping : mappings) {
    if (!mapping.in_use || address < mapping.begin || address >= mapping.end) continue;
    say(address < mapping.begin + page_size() ? "wrong: touched memory before the beginning of the buffer\n"
                                              : "wrong: touched memory past the end of the buffer\n");
    _exit(1);
  }
  signal(SIGSEGV, SIG_DFL);  // not ours: returning runs the faulting instruction again, and the crash stays a crash
}

// Mapping anew takes far longer than a change of protection: one that was given back is taken again.
Mapping& free_mapping(std::size_t bytes) {
  Mapping* found = nullptr;
  for (Mapping& mapping : mappings) {
    if (mapping.in_use) continue;
    if (mapping.end - mapping.begin == bytes) return mapping;
    if (found == nullptr || mapping.end == 0) found = &mapping;
  }
  if (found == nullptr) throw std::bad_alloc();
  if (found->end != 0) munmap(reinterpret_cast<void*>(found->begin), found->end - found->begin);
  *found = {};
  void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  *found = {begin, begin + bytes, false};
  return *found;
}

}  // namespace

GuardedBuffer::GuardedBuffer(std::size_t bytes, Against side) : bytes_(bytes) {
  static const int installed = [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    return sigaction(SIGSEGV, &action, nullptr);
  }();
  if (installed != 0) throw std::bad_alloc();

  const std::size_t page = page_size();
  const std::size_t inner = (bytes + page - 1) / page * page;
  mapped_ = inner + 2 * page;
  Mapping& mapping = free_mapping(mapped_);
  mapping_ = reinterpret_cast<std::byte*>(mapping.begin);
  if (inner > 0) {
    if (mprotect(mapping_ + page, inner, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    std::memset(mapping_ + page, 0, inner);
  }
  data_ = side == Against::front ? mapping_ + page : mapping_ + page + inner - bytes;
  mapping.in_use = true;
}

GuardedBuffer::~GuardedBuffer() {
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping_);
  std::find_if(mappings.begin(), mappings.end(), [&](const Mapping& m) { return m.begin == begin; })->in_use = false;
  mprotect(mapping_, mapped_, PROT_NONE);
}

}  // namespace ladder
