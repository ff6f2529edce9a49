// Counts the instructions of functions by single-stepping a program. This is slow. But it sees every instruction of the
// CPU, and Valgrind knows none of AVX-512, SHA-NI or VAES.
//   steps LIMIT ADDRESS,... PROGRAM [ARGUMENT]...
// ADDRESS is that of a function in the program's file, in hexadecimal. Counted is from its first instruction to its
// return, with all that it calls. LIMIT is the number of instructions after which to give up. Prints
//   at ADDRESS N          for each instruction of the program's own file
//   in FILE N             for each other file
// Exit codes: 0, 2 bad usage, 3 not permitted, 4 more than LIMIT instructions, 5 the program did not end well.
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

constexpr int bad_usage = 2, not_permitted = 3, too_many = 4, ended_badly = 5;

struct Mapping {
  std::uint64_t begin, end;
  std::string file;
};

std::vector<Mapping> mappings_of(pid_t child) {
  std::vector<Mapping> found;
  std::ifstream maps("/proc/" + std::to_string(child) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, permissions, offset, device, inode, file;
    words >> range >> permissions >> offset >> device >> inode >> file;
    std::uint64_t begin = 0, end = 0;
    const char* last = range.data() + range.size();
    const char* dash = std::from_chars(range.data(), last, begin, 16).ptr;
    std::from_chars(dash + 1, last, end, 16);
    found.push_back({begin, end, file});
  }
  return found;
}

class Tracer {
 public:
  Tracer(pid_t child, std::uint64_t limit) : child_(child), limit_(limit) {}

  // Whether each function lies in the program.
  bool watch(const std::vector<std::uint64_t>& functions) {
    const std::vector<Mapping> mappings = mappings_of(child_);
    if (mappings.empty()) return false;
    const Mapping& program = mappings.front();
    constexpr std::uint64_t type_in_header = 16, fixed_address = 2;  // of ELF: e_type, ET_EXEC
    const long word = ptrace(PTRACE_PEEKTEXT, child_, program.begin + type_in_header, nullptr);
    base_ = (static_cast<std::uint64_t>(word) & 0xFFFF) == fixed_address ? 0 : program.begin;
    own_file_ = program.file;
    for (const std::uint64_t function : functions) {
      const std::uint64_t address = base_ + function;
      errno = 0;  // a word may be -1
      words_[address] = ptrace(PTRACE_PEEKTEXT, child_, address, nullptr);
      if (errno != 0) return false;
    }
    set_breakpoints();
    return true;
  }

  // To the end of the program; the exit code of this one.
  int follow() {
    for (;;) {
      ptrace(PTRACE_CONT, child_, nullptr, nullptr);
      int status = 0;
      waitpid(child_, &status, 0);
      if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? 0 : ended_badly;
      if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) return ended_badly;
      user_regs_struct registers{};
      ptrace(PTRACE_GETREGS, child_, nullptr, &registers);
      registers.rip -= 1;  // the breakpoint itself has been run
      ptrace(PTRACE_SETREGS, child_, nullptr, &registers);
      clear_breakpoints();
      if (const int problem = step_until_return(registers)) return problem;
      set_breakpoints();
    }
  }

  void print() const {
    std::map<std::uint64_t, std::uint64_t> own;
    std::map<std::string, std::uint64_t> others;
    const std::vector<Mapping>& files = last_mappings_;
    for (const auto& [address, count] : counts_) {
      std::string file = "?";
      for (const Mapping& mapping : files) {
        if (mapping.begin <= address && address < mapping.end) file = mapping.file;
      }
      if (file == own_file_) {
        own[address - base_] += count;
      } else {
        others[file] += count;
      }
    }
    for (const auto& [address, count] : own) {
      std::printf("at %llx %llu\n", static_cast<unsigned long long>(address), static_cast<unsigned long long>(count));
    }
    for (const auto& [file, count] : others) {
      std::printf("in %s %llu\n", file.c_str(), static_cast<unsigned long long>(count));
    }
  }

 private:
  static constexpr std::uint64_t breakpoint = 0xCC;

  void set_breakpoints() {
    for (const auto& [address, word] : words_) {
      ptrace(PTRACE_POKETEXT, child_, address, (word & ~std::uint64_t{0xFF}) | breakpoint);
    }
  }

  void clear_breakpoints() {
    for (const auto& [address, word] : words_) ptrace(PTRACE_POKETEXT, child_, address, word);
  }

  int step_until_return(user_regs_struct registers) {
    const std::uint64_t stack_at_entry = registers.rsp;
    std::uint64_t before = 0;
    while (registers.rsp <= stack_at_entry) {
      // A repeated string instruction stops at each repetition, but is one instruction.
      if (registers.rip != before) {
        ++counts_[registers.rip];
        if (++total_ > limit_) return too_many;
      }
      before = registers.rip;
      ptrace(PTRACE_SINGLESTEP, child_, nullptr, nullptr);
      int status = 0;
      waitpid(child_, &status, 0);
      if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) return ended_badly;
      ptrace(PTRACE_GETREGS, child_, nullptr, &registers);
    }
    last_mappings_ = mappings_of(child_);  // while the libraries are still there
    return 0;
  }

  pid_t child_;
  std::uint64_t limit_;
  std::uint64_t base_ = 0;
  std::string own_file_;
  std::map<std::uint64_t, std::uint64_t> words_;  // what stands where the breakpoints are set
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
  std::vector<Mapping> last_mappings_;
  std::uint64_t total_ = 0;
};

bool read_number(std::string_view text, int base, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t limit = 0;
  std::vector<std::uint64_t> functions;
  bool understood = argc >= 4 && read_number(argv[1], 10, limit);
  if (understood) {
    std::istringstream words(argv[2]);
    for (std::string word; std::getline(words, word, ',');) {
      functions.emplace_back();
      understood = understood && read_number(word, 16, functions.back());
    }
  }
  if (!understood || functions.empty()) {
    std::fputs("Use: steps LIMIT ADDRESS,... PROGRAM [ARGUMENT]...\n", stderr);
    return bad_usage;
  }
  const pid_t child = fork();
  if (child < 0) {
    std::perror("steps: fork");
    return ended_badly;
  }
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(not_permitted);
    execv(argv[3], argv + 3);
    std::perror(argv[3]);
    _exit(bad_usage);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return WIFEXITED(status) ? WEXITSTATUS(status) : ended_badly;
  ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_EXITKILL);
  Tracer tracer(child, limit);
  if (!tracer.watch(functions)) {
    std::fprintf(stderr, "%s has no code at one of the addresses %s.\n", argv[3], argv[2]);
    return bad_usage;
  }
  const int problem = tracer.follow();
  if (problem == 0) tracer.print();
  return problem;
}
