#include "common/self_check/kernel.hpp"

// The code begins SHIFT bytes, a multiple of 16, behind a cache line. Functions and loops are aligned to 16 bytes
// (Programs.cmake), so a shift moves every instruction and changes none.
#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)
asm(".text\n\t.p2align 6\n\t.skip " TEXT(SHIFT));

namespace self_check {

const unsigned rounds = ROUNDS;

void chain(std::span<std::uint64_t> words) {
  for (std::uint64_t& word : words) {
    std::uint64_t x = word;
    for (unsigned round = 0; round < ROUNDS; ++round) {
#pragma GCC unroll 32  // hardly a branch: what a CPU guesses of one depends on its address
      for (int step = 0; step < 32; ++step) x = (x ^ x >> 31) * 0x9E3779B97F4A7C15 + round;
    }
    word = x;
  }
}

void buffers(std::span<std::uint64_t> words) {
  using Vector [[gnu::vector_size(32), gnu::may_alias, gnu::aligned(8)]] = std::uint64_t;
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(std::uint64_t);
  auto* vector = reinterpret_cast<Vector*>(words.data());
  for (std::size_t i = 0; i < ROUNDS * words_a_buffer / lanes; ++i) {
    Vector x = vector[i];
    for (std::uint64_t step = 1; step <= 4; ++step) x = (x ^ (x >> 13)) + (x << 7) + step;
    vector[i] = x;
  }
}

std::string texts(std::uint64_t seed) {
  std::string all;
  all.reserve(std::size_t{ROUNDS} * 64);
  for (std::uint64_t i = 0; i < ROUNDS; ++i) {
    all += std::string(40 + (seed + i) % 24, static_cast<char>('a' + (seed + i) % 26));
  }
  return all;
}

}  // namespace self_check
