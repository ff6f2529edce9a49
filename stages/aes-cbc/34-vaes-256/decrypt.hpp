// Decrypts a buffer by VAES, eight vectors of two blocks at a time.
#pragma once

#include <immintrin.h>

#include "aes-cbc/02-aes-instructions/one_block.hpp"
#include "aes-cbc/34-vaes-256/instructions.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned in_flight = 8;  // vectors: two instructions start in a cycle, and each takes about four

static inline TwoBlocks load_two(const void* blocks) {
  return _mm256_loadu_si256(static_cast<const TwoBlocks*>(blocks));
}
static inline TwoBlocks repeat(const void* block) { return _mm256_broadcastsi128_si256(load(block)); }

// `count` vectors from `done` on, of which all are read before any is written. Returns the last block as it was read.
template <unsigned count>
[[gnu::always_inline]] inline Vector decrypt_vectors(const Job& job, std::size_t done, Vector before) {
  const std::uint8_t* const in = job.in + done;
  const TwoBlocks first = repeat(&job.key->decrypting[0]), last = repeat(&job.key->decrypting[rounds]);
  const Vector ciphered = load(in + (2 * count - 1) * block_bytes);
  TwoBlocks blocks[count];
#pragma GCC unroll 8
  for (unsigned v = 0; v < count; ++v) blocks[v] = add_key(load_two(in + v * sizeof(TwoBlocks)), first);
  for (unsigned round = 1; round < rounds; ++round) {
    const TwoBlocks key = repeat(&job.key->decrypting[round]);
#pragma GCC unroll 8
    for (unsigned v = 0; v < count; ++v) blocks[v] = decrypt_round(blocks[v], key);
  }
#pragma GCC unroll 8
  for (unsigned v = 0; v < count; ++v) {
    const TwoBlocks chained =
        v == 0 ? _mm256_set_m128i(load(in), before) : load_two(in + v * sizeof(TwoBlocks) - block_bytes);
    blocks[v] = decrypt_last_round(blocks[v], last) ^ chained;
  }
#pragma GCC unroll 8
  for (unsigned v = 0; v < count; ++v) {
    _mm256_storeu_si256(reinterpret_cast<TwoBlocks*>(job.out + done + v * sizeof(TwoBlocks)), blocks[v]);
  }
  return ciphered;
}

static inline void decrypt_last_block(const Job& job, Vector before) {
  const std::size_t done = job.size - block_bytes;
  Vector block = add_key(load(job.in + done), load(&job.key->decrypting[0]));
  for (unsigned round = 1; round < rounds; ++round) block = decrypt_round(block, load(&job.key->decrypting[round]));
  store(job.out + done, decrypt_last_round(block, load(&job.key->decrypting[rounds])) ^ before);
}

static inline void decrypt(const Job& job) {
  constexpr std::size_t set = in_flight * sizeof(TwoBlocks);
  Vector before = load(job.iv);
  std::size_t done = 0;
  for (; job.size - done >= set; done += set) before = decrypt_vectors<in_flight>(job, done, before);
  for (; job.size - done >= sizeof(TwoBlocks); done += sizeof(TwoBlocks)) {
    before = decrypt_vectors<1>(job, done, before);
  }
  if (done < job.size) decrypt_last_block(job, before);
}

}  // namespace aes_cbc
