// The eighty steps of SHA-1 by the SHA instructions, with a message schedule by vector instructions.
#pragma once

#include "hmac-sha1/07-generic-steps/any_word.hpp"
#include "hmac-sha1/27-interleaving-barrier/barrier.hpp"

namespace hmac_sha1 {

struct VectorSchedule : Interleaved {};

using FourWords [[gnu::vector_size(sizeof(Four))]] = Word;

[[gnu::always_inline]] static inline Four rotated(Four x, int n) { return (Four)rotl((FourWords)x, n); }

// Compilers may change the order of exclusive ors. Here x is computed first: the words after it are ready later.
[[gnu::always_inline]] static inline Four early(Four x) {
  asm("" : "+v"(x));
  return x;
}

// Words 4 * g to 4 * g + 3 of the message schedule. With AVX-512 a three-way exclusive or is one instruction, and so is
// a rotation.
[[gnu::always_inline]] static inline Four next_words(int g, const Four* w) {
  if (g < 8) {
    // The last word needs the first one of the same vector: it is xored in after the rotation.
    const Four far = early(w[g - 4] ^ _mm_alignr_epi8(w[g - 4], w[g - 3], 8) ^ w[g - 2]);
    const Four sum = far ^ _mm_slli_si128(w[g - 1], 4);
    return rotated(sum, 1) ^ rotated(_mm_srli_si128(sum, 12), 2);
  }
  // The recurrence applied twice: no word needs one of the same vector.
  const Four far = early(w[g - 8] ^ w[g - 7] ^ w[g - 4]);
  return rotated(far ^ _mm_alignr_epi8(w[g - 2], w[g - 1], 8), 2);
}

// Steps 4 * g to 4 * g + 3 of every stream.
template <int quarter, std::size_t streams>
[[gnu::always_inline]] static inline void four_steps(int g, Four (&w)[streams][20], auto&& words,
                                                     Hash (&hash)[streams]) {
#pragma GCC unroll 4
  for (std::size_t s = 0; s < streams; ++s) {
    w[s][g] = g < 4 ? words(s, g) : next_words(g, w[s]);
    auto& [abcd, e] = hash[s];
    const Four sum = g == 0 ? _mm_add_epi32(e, w[s][g]) : _mm_sha1nexte_epu32(e, w[s][g]);
    e = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, sum, quarter);
  }
  VectorSchedule::steps(hash);
}

template <int quarter>
[[gnu::always_inline]] static inline void twenty_steps(auto& w, auto&& words, auto& hash) {
#pragma GCC unroll 5
  for (int g = 5 * quarter; g < 5 * quarter + 5; ++g) four_steps<quarter>(g, w, words, hash);
}

// Chosen by the type of the last argument.
template <std::size_t streams>
[[gnu::always_inline]] static inline void eighty_steps(auto&& words, Hash (&hash)[streams], VectorSchedule) {
  Four w[streams][20];
  twenty_steps<0>(w, words, hash);
  twenty_steps<1>(w, words, hash);
  twenty_steps<2>(w, words, hash);
  twenty_steps<3>(w, words, hash);
}

}  // namespace hmac_sha1
