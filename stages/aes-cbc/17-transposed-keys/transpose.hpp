// Lines of four blocks of a lane, and blocks of four lanes: each is the transposition of the other.
#pragma once

#include <immintrin.h>

#include "aes-cbc/14-vaes-decryption/instructions.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr std::size_t line_bytes = 64;

// The barrier keeps the compiler from loading it again for a second use.
[[gnu::always_inline]] static inline FourBlocks load_once(const void* from, __mmask8 words = 0xFF) {
  FourBlocks vector = _mm512_maskz_loadu_epi64(words, from);
  asm("" : "+v"(vector));
  return vector;
}
template <int i>  // the half of each that begins with word i
static inline FourBlocks halves(FourBlocks a, FourBlocks b) {
  return __builtin_shufflevector(a, b, i, i + 1, i + 2, i + 3, i + 8, i + 9, i + 10, i + 11);
}
template <int i>  // of each half the quarter that begins with word i
static inline FourBlocks quarters(FourBlocks a, FourBlocks b) {
  return __builtin_shufflevector(a, b, i, i + 1, i + 4, i + 5, i + 8, i + 9, i + 12, i + 13);
}

// Four vectors, each with four blocks of one lane, become four vectors, each with a block of every lane, and back.
[[gnu::always_inline]] static inline void transpose(FourBlocks (&x)[4]) {
  const FourBlocks a = halves<0>(x[0], x[1]), b = halves<4>(x[0], x[1]);
  const FourBlocks c = halves<0>(x[2], x[3]), d = halves<4>(x[2], x[3]);
  x[0] = quarters<0>(a, c), x[1] = quarters<2>(a, c), x[2] = quarters<0>(b, d), x[3] = quarters<2>(b, d);
}

}  // namespace aes_cbc
