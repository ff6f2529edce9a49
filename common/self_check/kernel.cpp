#include "common/self_check/kernel.hpp"

// The code begins SHIFT bytes, a multiple of 16, behind a cache line. Functions and loops are aligned to 16 bytes
// (Programs.cmake), so a shift moves every instruction and changes none.
#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)
asm(".text\n\t.p2align 6\n\t.skip " TEXT(SHIFT));

namespace self_check {

const unsigned rounds = ROUNDS;

void kernel(std::span<std::uint64_t> words) {
  for (std::uint64_t& word : words) {
    std::uint64_t x = word;
    for (unsigned round = 0; round < ROUNDS; ++round) {
#pragma GCC unroll 32  // hardly a branch: what a CPU guesses of one depends on its address
      for (int step = 0; step < 32; ++step) x = (x ^ x >> 31) * 0x9E3779B97F4A7C15 + round;
    }
    word = x;
  }
}

}  // namespace self_check
