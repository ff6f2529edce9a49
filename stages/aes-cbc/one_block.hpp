// What stage 02 came to, for stages 03 to 09: a block in a vector, and both ways with the AES instructions.
#pragma once

#include <immintrin.h>

#include <aes-cbc/constants.hpp>

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

using Vector = __m128i;  // a block

static inline Vector load(const void* block) { return _mm_loadu_si128(static_cast<const Vector*>(block)); }
static inline void store(void* block, Vector vector) { _mm_storeu_si128(static_cast<Vector*>(block), vector); }

static inline Vector encrypt(Vector block, const Key& key) {
  if (!with_kernel) return block;
  block ^= load(&key.encrypting[0]);
  for (unsigned round = 1; round < rounds; ++round) block = _mm_aesenc_si128(block, load(&key.encrypting[round]));
  return _mm_aesenclast_si128(block, load(&key.encrypting[rounds]));
}

static inline Vector decrypt(Vector block, const Key& key) {
  if (!with_kernel) return block;
  block ^= load(&key.decrypting[0]);
  for (unsigned round = 1; round < rounds; ++round) block = _mm_aesdec_si128(block, load(&key.decrypting[round]));
  return _mm_aesdeclast_si128(block, load(&key.decrypting[rounds]));
}

// No block waits for another one: the core begins the next while this one is under way, and needs no help.
static inline void decrypt(const Job& job) {
  Vector before = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    const Vector ciphered = load(job.in + i);
    store(job.out + i, decrypt(ciphered, *job.key) ^ before);
    before = ciphered;
  }
}

}  // namespace aes_cbc
