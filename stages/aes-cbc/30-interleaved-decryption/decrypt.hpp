// Decrypts a buffer by the AES instructions, twelve blocks at a time.
#pragma once

#include "aes-cbc/02-aes-instructions/one_block.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned in_flight = 12;  // blocks; with a round key they take thirteen of sixteen registers

// `count` blocks from `done` on, of which all are read before any is written. Returns the last one as it was read.
template <unsigned count>
[[gnu::always_inline]] inline Vector decrypt_blocks(const Job& job, std::size_t done, Vector before) {
  const std::uint8_t* const in = job.in + done;
  const Vector first = load(&job.key->decrypting[0]), last = load(&job.key->decrypting[rounds]);
  const Vector ciphered = load(in + (count - 1) * block_bytes);
  Vector blocks[count];
#pragma GCC unroll 12
  for (unsigned b = 0; b < count; ++b) blocks[b] = add_key(load(in + b * block_bytes), first);
  for (unsigned round = 1; round < rounds; ++round) {
    const Vector key = load(&job.key->decrypting[round]);
#pragma GCC unroll 12
    for (unsigned b = 0; b < count; ++b) blocks[b] = decrypt_round(blocks[b], key);
  }
#pragma GCC unroll 12
  for (unsigned b = 0; b < count; ++b) {
    blocks[b] = decrypt_last_round(blocks[b], last) ^ (b == 0 ? before : load(in + (b - 1) * block_bytes));
  }
#pragma GCC unroll 12
  for (unsigned b = 0; b < count; ++b) store(job.out + done + b * block_bytes, blocks[b]);
  return ciphered;
}

static inline void decrypt(const Job& job) {
  constexpr std::size_t set = in_flight * block_bytes;
  Vector before = load(job.iv);
  std::size_t done = 0;
  for (; job.size - done >= set; done += set) before = decrypt_blocks<in_flight>(job, done, before);
  for (; done < job.size; done += block_bytes) before = decrypt_blocks<1>(job, done, before);
}

}  // namespace aes_cbc
