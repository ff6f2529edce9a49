// Sixteen lanes: four vectors hold a block of each of sixteen buffers.
#pragma once

#include <immintrin.h>

#include "aes-cbc/14-vaes-decryption/instructions.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned vectors = 4, width = 4 * vectors;  // lanes: buffers whose rounds are interleaved

template <unsigned vectors>
using RoundKeys = FourBlocks[rounds + 1][vectors];

static inline FourBlocks join(const void* a, const void* b, const void* c, const void* d) {
  const auto load = [](const void* block) { return _mm_loadu_si128(static_cast<const __m128i*>(block)); };
  const __m256i ab = _mm256_inserti128_si256(_mm256_castsi128_si256(load(a)), load(b), 1);
  const __m256i cd = _mm256_inserti128_si256(_mm256_castsi128_si256(load(c)), load(d), 1);
  return _mm512_maskz_inserti64x4(0xFF, _mm512_castsi256_si512(ab), cd, 1);
}

// The round keys of a group with a key for each job. The barrier is for Clang, which would load the round keys of
// several blocks at once, and spill them to the stack.
template <unsigned vectors>
[[gnu::always_inline]] static inline FourBlocks own_key(const RoundKeys<vectors>& round_keys, unsigned v,
                                                        unsigned round) {
#ifdef __clang__
  if (v == 0 && round == 0) asm volatile("" ::: "memory");
#endif
  return round_keys[round][v];
}

template <unsigned vectors>
[[gnu::always_inline]] static inline void load_ivs(FourBlocks (&chained)[vectors], Job* const* jobs) {
  const auto iv = [&](unsigned lane) { return jobs[lane]->iv; };
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) chained[v] = join(iv(4 * v), iv(4 * v + 1), iv(4 * v + 2), iv(4 * v + 3));
}

// `round_key(v, round)` is the round key of vector v.
template <unsigned vectors>
[[gnu::always_inline]] static inline void encrypt(FourBlocks (&blocks)[vectors], auto&& round_key) {
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) blocks[v] = add_key(blocks[v], round_key(v, 0));
#pragma GCC unroll 9
  for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) blocks[v] = encrypt_round(blocks[v], round_key(v, round));
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) blocks[v] = encrypt_last_round(blocks[v], round_key(v, rounds));
}

}  // namespace aes_cbc
