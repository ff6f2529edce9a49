// Encrypts a block by the AES instructions.
#pragma once

#include <immintrin.h>

#include "aes-cbc/02-aes-instructions/instructions.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

static inline Vector load(const void* block) { return _mm_loadu_si128(static_cast<const Vector*>(block)); }
static inline void store(void* block, Vector vector) { _mm_storeu_si128(static_cast<Vector*>(block), vector); }

static inline Vector encrypt(Vector block, const Key& key) {
  block = add_key(block, load(&key.encrypting[0]));
  for (unsigned round = 1; round < rounds; ++round) block = encrypt_round(block, load(&key.encrypting[round]));
  return encrypt_last_round(block, load(&key.encrypting[rounds]));
}

}  // namespace aes_cbc
