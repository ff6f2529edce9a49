// What this core can do at best, measured: its clock, and how many vector operations it starts in a nanosecond.
//   machine clock      clock_ghz
//   machine rates      vector_bytes, then vector operations a nanosecond: shift, xor, add, and `all`: the most of these
//                      three and of a mix of them
//   machine counters   counters: can perf count cycles? yes, none (the machine has none to show) or forbidden
// One `name value` a line. Compiled at a level, so that the vectors are as wide as the stages' of that level.
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif
using Words = std::uint32_t __attribute__((vector_size(vector_bytes)));

// Noise only ever adds time: the best of many short runs is the rate without it.
double best_per_nanosecond(double operations, auto&& work) {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (int run = 0; run < 40; ++run) {
    const auto begin = Clock::now();
    work();
    best = std::max(best, operations / std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  }
  return best;
}

// Additions of registers, each waiting for the one before: one a cycle on every core (immediates are folded by some).
double clock_ghz() {
  std::uint64_t value = 0, one = 1;
  return best_per_nanosecond(200.0 * 1000, [&] {
    for (int i = 0; i < 200; ++i) {
#if defined(__x86_64__)
      asm volatile(".rept 1000\n\tadd %1, %0\n\t.endr" : "+r"(value) : "r"(one) : "cc");
#elif defined(__aarch64__)
      asm volatile(".rept 1000\n\tadd %0, %0, %1\n\t.endr" : "+r"(value) : "r"(one));
#endif
    }
  });
}

// Tells the compiler that the register changes, so that it folds no two operations into one.
void changed(Words& words) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(words));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(words));
#endif
}

// Twelve chains side by side, so that none waits for its own last result; unrolled, so that each stays in a register.
template <class Operation, std::size_t... Chain>
double rate_of(Operation operation, std::index_sequence<Chain...>) {
  constexpr int rounds = 5000;
  std::array<Words, sizeof...(Chain)> words{(Words{} + static_cast<std::uint32_t>(Chain + 1))...};
  return best_per_nanosecond(static_cast<double>(sizeof...(Chain)) * rounds, [&words, operation] {
    std::array<Words, sizeof...(Chain)> registers = words;
    for (int round = 0; round < rounds; ++round) {
      ((operation(registers[Chain], std::integral_constant<std::size_t, Chain>()), changed(registers[Chain])), ...);
    }
    words = registers;
  });
}

double vectors_per_nanosecond(auto operation) { return rate_of(operation, std::make_index_sequence<12>()); }

void print_rates() {
  Words operand = Words{} + 0x9E3779B9u;
  changed(operand);
  const double shift = vectors_per_nanosecond([](Words& words, auto) { words <<= 1; });
  const double exclusive_or = vectors_per_nanosecond([=](Words& words, auto) { words ^= operand; });
  const double add = vectors_per_nanosecond([=](Words& words, auto) { words += operand; });
  const double mixed = vectors_per_nanosecond([=](Words& words, auto chain) {
    if constexpr (chain % 3 == 0) words <<= 1;
    if constexpr (chain % 3 == 1) words ^= operand;
    if constexpr (chain % 3 == 2) words += operand;
  });
  std::printf("vector_bytes %zu\nshift %.4f\nxor %.4f\nadd %.4f\nall %.4f\n", vector_bytes, shift, exclusive_or, add,
              std::max({shift, exclusive_or, add, mixed}));
}

// Asks the kernel itself: perf silently takes something else where there are no counters.
const char* counters() {
  perf_event_attr cycles{};
  cycles.type = PERF_TYPE_HARDWARE;
  cycles.size = sizeof cycles;
  cycles.config = PERF_COUNT_HW_CPU_CYCLES;
  cycles.exclude_kernel = 1;
  if (syscall(SYS_perf_event_open, &cycles, 0, -1, -1, 0) >= 0) return "yes";
  return errno == EACCES || errno == EPERM ? "forbidden" : "none";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what == "clock") {
    std::printf("clock_ghz %.4f\n", clock_ghz());
  } else if (what == "rates") {
    print_rates();
  } else if (what == "counters") {
    std::printf("counters %s\n", counters());
  } else {
    std::fputs("Use one of: clock, rates, counters.\n", stderr);
    return 2;
  }
}
