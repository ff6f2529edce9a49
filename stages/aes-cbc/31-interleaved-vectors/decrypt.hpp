// Decrypts a buffer by VAES, four vectors of four blocks at a time.
#pragma once

#include <immintrin.h>

#include "aes-cbc/14-vaes-decryption/four_blocks.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned in_flight = 4;  // vectors: with those read, the one before and round keys, 20 of 32 registers

// `count` vectors from `done` on, of which all are read before any is written; of each the `words` that the buffer has.
// Returns the last one as it was read.
template <unsigned count>
[[gnu::always_inline]] inline FourBlocks decrypt_vectors(const Job& job, std::size_t done, __mmask8 words,
                                                         const FourBlocks (&keys)[rounds + 1], FourBlocks before) {
  FourBlocks ciphered[count], blocks[count];
#pragma GCC unroll 4
  for (unsigned v = 0; v < count; ++v) {
    ciphered[v] = _mm512_maskz_loadu_epi64(words, job.in + done + v * sizeof(FourBlocks));
    blocks[v] = add_key(ciphered[v], keys[0]);
  }
#pragma GCC unroll 9
  for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < count; ++v) blocks[v] = decrypt_round(blocks[v], keys[round]);
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < count; ++v) {
    const FourBlocks chained = _mm512_alignr_epi64(ciphered[v], v == 0 ? before : ciphered[v - 1], 6);
    blocks[v] = decrypt_last_round(blocks[v], keys[rounds]) ^ chained;
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < count; ++v) {
    _mm512_mask_storeu_epi64(job.out + done + v * sizeof(FourBlocks), words, blocks[v]);
  }
  return ciphered[count - 1];
}

static inline void decrypt(const Job& job) {
  constexpr std::size_t set = in_flight * sizeof(FourBlocks);
  FourBlocks before = repeat(job.iv);
  FourBlocks keys[rounds + 1];
  for (unsigned round = 0; round <= rounds; ++round) keys[round] = repeat(&job.key->decrypting[round]);
  std::size_t done = 0;
  for (; job.size - done >= set; done += set) before = decrypt_vectors<in_flight>(job, done, 0xFF, keys, before);
  for (; done < job.size; done += sizeof(FourBlocks)) {
    before = decrypt_vectors<1>(job, done, mask(job.size - done), keys, before);
  }
}

}  // namespace aes_cbc
