// A round of AES on four blocks in a vector.
#pragma once

#include <immintrin.h>

namespace aes_cbc {

using FourBlocks = __m512i;  // a block of each of four lanes, or four blocks of one

static inline FourBlocks add_key(FourBlocks blocks, FourBlocks key) { return blocks ^ key; }
static inline FourBlocks encrypt_round(FourBlocks blocks, FourBlocks key) { return _mm512_aesenc_epi128(blocks, key); }
static inline FourBlocks encrypt_last_round(FourBlocks blocks, FourBlocks key) {
  return _mm512_aesenclast_epi128(blocks, key);
}
static inline FourBlocks decrypt_round(FourBlocks blocks, FourBlocks key) { return _mm512_aesdec_epi128(blocks, key); }
static inline FourBlocks decrypt_last_round(FourBlocks blocks, FourBlocks key) {
  return _mm512_aesdeclast_epi128(blocks, key);
}

}  // namespace aes_cbc
