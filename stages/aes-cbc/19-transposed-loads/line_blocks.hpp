// Encrypts up to a line of each lane, and lays out round keys: both are loaded as lines and transposed.
#pragma once

#include <algorithm>

#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/19-transposed-loads/lines.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

enum class Ends { together, apart };  // of the buffers in a group

template <unsigned vectors>
[[gnu::always_inline]] static inline void lay_out_transposed(RoundKeys<vectors>& round_keys, Job* const* jobs) {
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
#pragma GCC unroll 3
    for (const unsigned round : {0, 4, 7}) {  // 7 twice: 11 are no multiple of 4
      FourBlocks x[4];
#pragma GCC unroll 4
      for (unsigned i = 0; i < 4; ++i) x[i] = load_once(&jobs[4 * v + i]->key->encrypting[round]);
      transpose(x);
#pragma GCC unroll 4
      for (unsigned i = 0; i < 4; ++i) round_keys[round + i][v] = x[i];
    }
  }
}

// So many blocks of every lane. Where buffers end apart, masks keep loads and stores inside them.
template <unsigned blocks, Ends ends, unsigned vectors>
[[gnu::always_inline]] static inline void encrypt(Job* const* jobs, std::size_t offset,
                                                  auto&& round_key, FourBlocks (&chained)[vectors]) {
  const auto mask_of = [&](unsigned lane) {
    const std::size_t size = jobs[lane]->size;
    return ends == Ends::apart ? mask(size - std::min(size, offset)) : mask(blocks * block_bytes);
  };
  // A lane that has ended goes back to its begin, where there is memory, though the mask is empty.
  const auto place_of = [&](unsigned lane) { return ends == Ends::apart && offset >= jobs[lane]->size ? 0 : offset; };
  FourBlocks x[vectors][4];
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned lane = 4 * v + i;
      x[v][i] = load_once(jobs[lane]->in + place_of(lane), mask_of(lane));
    }
    transpose(x[v]);
  }
#pragma GCC unroll 4
  for (unsigned block = 0; block < blocks; ++block) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) chained[v] ^= x[v][block];
    encrypt(chained, round_key);
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) x[v][block] = chained[v];
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
    transpose(x[v]);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned lane = 4 * v + i;
      store(jobs[lane]->out + place_of(lane), x[v][i], mask_of(lane));
    }
  }
}

template <unsigned vectors>
[[gnu::always_inline]] static inline void encrypt_few(Job* const* jobs, std::size_t offset, std::size_t size,
                                                      auto&& round_key,
                                                      FourBlocks (&chained)[vectors]) {
  if (size == 1 * block_bytes) encrypt<1, Ends::together>(jobs, offset, round_key, chained);
  if (size == 2 * block_bytes) encrypt<2, Ends::together>(jobs, offset, round_key, chained);
  if (size == 3 * block_bytes) encrypt<3, Ends::together>(jobs, offset, round_key, chained);
}

}  // namespace aes_cbc
