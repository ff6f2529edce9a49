// What stage 10 came to, for the stages after it: vectors of four blocks, and the way back.
#pragma once

#include <immintrin.h>

#include <aes-cbc/constants.hpp>
#include <algorithm>

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

using Vector = __m512i;  // a block of each of four lanes, or four blocks of one

static inline Vector repeat(const void* block) {
  return _mm512_maskz_broadcast_i32x4(0xFFFF, _mm_loadu_si128(static_cast<const __m128i*>(block)));
}

static inline Vector join(const void* a, const void* b, const void* c, const void* d) {
  const auto load = [](const void* block) { return _mm_loadu_si128(static_cast<const __m128i*>(block)); };
  const __m256i ab = _mm256_inserti128_si256(_mm256_castsi128_si256(load(a)), load(b), 1);
  const __m256i cd = _mm256_inserti128_si256(_mm256_castsi128_si256(load(c)), load(d), 1);
  return _mm512_maskz_inserti64x4(0xFF, _mm512_castsi256_si512(ab), cd, 1);
}

// The first blocks that are left, up to a vector of them.
static inline __mmask8 mask(std::size_t bytes) {
  return static_cast<__mmask8>(_bzhi_u32(0xFF, std::min<std::size_t>(bytes / 8, 8)));
}

static inline void decrypt(const Job& job) {
  Vector before = repeat(job.iv);
  Vector keys[rounds + 1];
  for (unsigned round = 0; round <= rounds; ++round) keys[round] = repeat(&job.key->decrypting[round]);
  for (std::size_t i = 0; i < job.size; i += sizeof(Vector)) {
    const Vector ciphered = _mm512_maskz_loadu_epi64(mask(job.size - i), job.in + i);
    Vector blocks = ciphered;
    if (with_kernel) {
      blocks ^= keys[0];
      for (unsigned round = 1; round < rounds; ++round) blocks = _mm512_aesdec_epi128(blocks, keys[round]);
      blocks = _mm512_aesdeclast_epi128(blocks, keys[rounds]);
    }
    blocks ^= _mm512_alignr_epi64(ciphered, before, 6);
    _mm512_mask_storeu_epi64(job.out + i, mask(job.size - i), blocks);
    before = ciphered;
  }
}

}  // namespace aes_cbc
