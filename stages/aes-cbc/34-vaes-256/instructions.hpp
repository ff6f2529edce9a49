// A round of AES on two blocks in a vector.
#pragma once

#include <immintrin.h>

namespace aes_cbc {

using TwoBlocks = __m256i;  // adjacent blocks of a buffer, or a block of each of two lanes

static inline TwoBlocks add_key(TwoBlocks blocks, TwoBlocks key) { return blocks ^ key; }
static inline TwoBlocks encrypt_round(TwoBlocks blocks, TwoBlocks key) { return _mm256_aesenc_epi128(blocks, key); }
static inline TwoBlocks encrypt_last_round(TwoBlocks blocks, TwoBlocks key) {
  return _mm256_aesenclast_epi128(blocks, key);
}
static inline TwoBlocks decrypt_round(TwoBlocks blocks, TwoBlocks key) { return _mm256_aesdec_epi128(blocks, key); }
static inline TwoBlocks decrypt_last_round(TwoBlocks blocks, TwoBlocks key) {
  return _mm256_aesdeclast_epi128(blocks, key);
}

}  // namespace aes_cbc
