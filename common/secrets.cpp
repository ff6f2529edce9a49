#include "common/secrets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "common/bytes.hpp"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define LADDER_MARKS 1
#else
#define LADDER_MARKS 0
#endif

namespace ladder {
namespace {

#if LADDER_MARKS
bool under_memcheck() {
  char byte = 0, marks = 0;
  return VALGRIND_GET_VBITS(&byte, &marks, 1) == 1;
}
void hide(std::span<const std::byte> place) { VALGRIND_MAKE_MEM_UNDEFINED(place.data(), place.size()); }
void reveal(std::span<const std::byte> place) { VALGRIND_MAKE_MEM_DEFINED(place.data(), place.size()); }

// Whether each byte depends on what is hidden.
bool is_hidden(std::span<const std::byte> place) {
  std::vector<unsigned char> marks(place.size());
  VALGRIND_GET_VBITS(place.data(), marks.data(), marks.size());
  return std::ranges::count(marks, 0) == 0;
}
#else
bool under_memcheck() { return false; }
void hide(std::span<const std::byte>) {}
void reveal(std::span<const std::byte>) {}
bool is_hidden(std::span<const std::byte>) { return false; }
#endif

// Empty, or what is wrong.
std::string call_with_secrets(SecretCall& one) {
  one.choose(1);
  const Places places = one.secrets(), results = one.results();
  std::ranges::for_each(places, hide);
  one.call();
  const bool hidden = std::ranges::all_of(results, is_hidden);
  std::ranges::for_each(places, reveal);
  std::ranges::for_each(results, reveal);
  if (!one.is_right()) return "the result is wrong";
  return hidden || !under_memcheck() ? "" : "a byte of the result has no mark: the marks were lost on the way";
}

// Reads more than the caches of a core hold: each call then finds the tables of the stage in the same state.
void empty_caches() {
  constexpr std::size_t line = 64;
  static const std::vector<unsigned char> other(4 << 20, 1);
  [[maybe_unused]] static volatile unsigned kept;  // so that the sum is computed
  unsigned sum = 0;
  for (std::size_t i = 0; i < other.size(); i += line) sum += other[i];
  kept = sum;
}

// For memcheck alone: its calls have no guard pages, and libraries are not asked.
TEST(Secrets, DISABLED_ReachEveryResult) {
  if (secret_calls().empty()) GTEST_SKIP() << "This case has no secrets.";
  for (const SecretEntry& entry : secret_calls()) EXPECT_EQ(call_with_secrets(*entry.make()), "") << entry.name;
  if (under_memcheck() && !testing::Test::HasFailure()) std::puts("All secrets were marked.");
}

// Prints the time of each call. `make proof` asks for it by name, and compares the two groups.
TEST(Secrets, DISABLED_TimesOfCalls) {
  constexpr int calls = 20'000;
  using Clock = std::chrono::steady_clock;
  if (secret_calls().empty()) GTEST_SKIP() << "This case has no secrets.";
  const std::unique_ptr<SecretCall> timed = secret_calls().front().make();
  Generator generator(1);
  for (int i = 0; i < calls; ++i) {
    const bool fixed = generator.between(0, 1) == 0;
    const std::uint64_t other = generator();
    timed->choose(fixed ? 0 : other);
    empty_caches();
    const auto begin = Clock::now();
    timed->call();
    const std::chrono::duration<double, std::nano> nanoseconds = Clock::now() - begin;
    std::printf("%s %.0f\n", fixed ? "fixed" : "random", nanoseconds.count());
  }
  EXPECT_TRUE(timed->is_right());
}

}  // namespace
}  // namespace ladder
