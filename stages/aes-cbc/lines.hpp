// What stage 11 came to, for stages 12 to 17: lines of four blocks, loaded and stored by masks, and transposed.
#pragma once

#include <immintrin.h>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/vectors.hpp"

namespace aes_cbc {

constexpr std::size_t line_bytes = 64;

// Once: the compiler shall not load it again for a second use.
[[gnu::always_inline]] static inline Vector load_once(const void* from, __mmask8 words = 0xFF) {
  Vector vector = _mm512_maskz_loadu_epi64(words, from);
  asm("" : "+v"(vector));
  return vector;
}
[[gnu::always_inline]] static inline void store(void* to, Vector vector, __mmask8 words) {
  _mm512_mask_storeu_epi64(to, words, vector);
}

// Clang would load the round keys of four blocks at once, and find no room for them but on the stack. GCC does not.
[[gnu::always_inline]] static inline void forget_what_was_loaded() {
#ifdef __clang__
  asm volatile("" ::: "memory");
#endif
}

template <int i>  // the half of each that begins with word i
static inline Vector halves(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, i, i + 1, i + 2, i + 3, i + 8, i + 9, i + 10, i + 11);
}
template <int i>  // of each half the quarter that begins with word i
static inline Vector quarters(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, i, i + 1, i + 4, i + 5, i + 8, i + 9, i + 12, i + 13);
}

// Four blocks of each of four lanes become a block of each lane four times, and back.
[[gnu::always_inline]] static inline void transpose(Vector (&x)[4]) {
  const Vector a = halves<0>(x[0], x[1]), b = halves<4>(x[0], x[1]);
  const Vector c = halves<0>(x[2], x[3]), d = halves<4>(x[2], x[3]);
  x[0] = quarters<0>(a, c), x[1] = quarters<2>(a, c), x[2] = quarters<0>(b, d), x[3] = quarters<2>(b, d);
}

}  // namespace aes_cbc
