// Decrypts a buffer by the AES instructions.
#pragma once

#include "aes-cbc/02-aes-instructions/one_block.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

static inline Vector decrypt(Vector block, const Key& key) {
  block = add_key(block, load(&key.decrypting[0]));
  for (unsigned round = 1; round < rounds; ++round) block = decrypt_round(block, load(&key.decrypting[round]));
  return decrypt_last_round(block, load(&key.decrypting[rounds]));
}

// No block waits for another one, so the core can overlap them by itself.
static inline void decrypt(const Job& job) {
  Vector before = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    const Vector ciphered = load(job.in + i);
    store(job.out + i, decrypt(ciphered, *job.key) ^ before);
    before = ciphered;
  }
}

}  // namespace aes_cbc
