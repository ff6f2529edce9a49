// Encrypts lines of every lane: they are transposed, encrypted block by block, and transposed back.
#pragma once

#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/17-transposed-keys/transpose.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// Encrypts the next `blocks` blocks of every lane. `load(lane)` gives the next line of a lane, and
// `store(lane, line)` takes the result.
template <unsigned blocks, unsigned vectors>
[[gnu::always_inline]] static inline void encrypt_lines(auto&& load, auto&& store, auto&& round_key,
                                                        FourBlocks (&chained)[vectors]) {
  FourBlocks x[vectors][4];
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) x[v][i] = load(4 * v + i);
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
    for (unsigned i = 0; i < 4; ++i) store(4 * v + i, x[v][i]);
  }
}

}  // namespace aes_cbc
