// Encrypts up to a line of each lane. Masks keep loads and stores inside buffers.
#pragma once

#include <immintrin.h>

#include <algorithm>

#include "aes-cbc/14-vaes-decryption/four_blocks.hpp"
#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/17-transposed-keys/transpose.hpp"
#include "aes-cbc/18-transposed-lines/encrypt_lines.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

enum class Ends { together, apart };  // of the buffers in a group

// Encrypts the next `blocks` blocks of every lane. Where buffers end apart, masks keep loads and stores inside them.
template <unsigned blocks, Ends ends, unsigned vectors>
[[gnu::always_inline]] static inline void encrypt(Job* const* jobs, std::size_t offset, auto&& round_key,
                                                  FourBlocks (&chained)[vectors]) {
  const auto mask_of = [&](unsigned lane) {
    const std::size_t size = jobs[lane]->size;
    return ends == Ends::apart ? mask(size - std::min(size, offset)) : mask(blocks * block_bytes);
  };
  // A lane that has ended has an empty mask. Its address is that of its beginning, where there is memory.
  const auto place_of = [&](unsigned lane) { return ends == Ends::apart && offset >= jobs[lane]->size ? 0 : offset; };
  // Inlined early: otherwise GCC needs more instructions where buffers end apart.
  const auto load = [&](unsigned lane) __attribute__((always_inline)) {
    return load_once(jobs[lane]->in + place_of(lane), mask_of(lane));
  };
  const auto store = [&](unsigned lane, FourBlocks line) __attribute__((always_inline)) {
    _mm512_mask_storeu_epi64(jobs[lane]->out + place_of(lane), mask_of(lane), line);
  };
  encrypt_lines<blocks>(load, store, round_key, chained);
}

template <unsigned vectors>
[[gnu::always_inline]] static inline void encrypt_few(Job* const* jobs, std::size_t offset, std::size_t size,
                                                      auto&& round_key, FourBlocks (&chained)[vectors]) {
  if (size == 1 * block_bytes) encrypt<1, Ends::together>(jobs, offset, round_key, chained);
  if (size == 2 * block_bytes) encrypt<2, Ends::together>(jobs, offset, round_key, chained);
  if (size == 3 * block_bytes) encrypt<3, Ends::together>(jobs, offset, round_key, chained);
}

}  // namespace aes_cbc
