// Decrypts a buffer by VAES, four blocks at a time.
#pragma once

#include <immintrin.h>

#include "aes-cbc/14-vaes-decryption/four_blocks.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

static inline void decrypt(const Job& job) {
  FourBlocks before = repeat(job.iv);
  FourBlocks keys[rounds + 1];
  for (unsigned round = 0; round <= rounds; ++round) keys[round] = repeat(&job.key->decrypting[round]);
  for (std::size_t i = 0; i < job.size; i += sizeof(FourBlocks)) {
    const FourBlocks ciphered = _mm512_maskz_loadu_epi64(mask(job.size - i), job.in + i);
    FourBlocks blocks = add_key(ciphered, keys[0]);
    for (unsigned round = 1; round < rounds; ++round) blocks = decrypt_round(blocks, keys[round]);
    blocks = decrypt_last_round(blocks, keys[rounds]) ^ _mm512_alignr_epi64(ciphered, before, 6);
    _mm512_mask_storeu_epi64(job.out + i, mask(job.size - i), blocks);
    before = ciphered;
  }
}

}  // namespace aes_cbc
