// Encrypts a buffer, or the rest of one, by the AES instructions: each block waits for the one before.
#pragma once

#include "aes-cbc/02-aes-instructions/one_block.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

static inline void encrypt_alone(const std::uint8_t* in, std::uint8_t* out, std::size_t size, const Key& key,
                                 Vector chained) {
  for (std::size_t i = 0; i < size; i += block_bytes) {
    chained = encrypt(chained ^ load(in + i), key);
    store(out + i, chained);
  }
}

}  // namespace aes_cbc
