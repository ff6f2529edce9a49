// Parts of a line: its loads, its rounds and its stores, whatever its shape.
#pragma once

#include <immintrin.h>

#include <algorithm>

#include "aes-cbc/14-vaes-decryption/four_blocks.hpp"
#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/17-transposed-keys/transpose.hpp"
#include "aes-cbc/19-transposed-loads/line_blocks.hpp"
#include "aes-cbc/22-fused-lines/line.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

template <Shape shape>
[[gnu::always_inline]] static inline __mmask8 mask_of(const Line& line, unsigned lane) {
  if (shape == Shape::whole) return 0xFF;
  if (shape == Shape::even) return mask(line.blocks * block_bytes);
  const std::size_t size = line.jobs[lane]->size;
  return mask(size - std::min(size, line.offset));
}

// A lane that has ended has an empty mask. Its address is that of its beginning, where there is memory.
template <Shape shape>
[[gnu::always_inline]] static inline std::size_t place_of(const Line& line, unsigned lane) {
  return shape == Shape::ragged && line.offset >= line.jobs[lane]->size ? 0 : line.offset;
}

// Loads four lanes of a line as column v of its blocks.
template <Shape shape>
[[gnu::always_inline]] static inline void load_lanes(FourBlocks (*blocks)[vectors], const Line& line, unsigned v) {
  FourBlocks x[4];
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned lane = 4 * v + i;
    x[i] = load_once(line.jobs[lane]->in + place_of<shape>(line, lane), mask_of<shape>(line, lane));
  }
  transpose(x);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) blocks[i][v] = x[i];
}
// Stores column v of the blocks into four lanes of the line.
template <Shape shape>
[[gnu::always_inline]] static inline void store_lanes(FourBlocks (*blocks)[vectors], const Line& line, unsigned v) {
  FourBlocks x[4] = {blocks[0][v], blocks[1][v], blocks[2][v], blocks[3][v]};
  transpose(x);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned lane = 4 * v + i;
    std::uint8_t* const place = line.jobs[lane]->out + place_of<shape>(line, lane);
    _mm512_mask_storeu_epi64(place, mask_of<shape>(line, lane), x[i]);
  }
}
[[gnu::always_inline]] static inline void load_lanes(FourBlocks (*blocks)[vectors], const Line& line, unsigned v) {
  if (line.shape == Shape::whole) return load_lanes<Shape::whole>(blocks, line, v);
  if (line.shape == Shape::even) return load_lanes<Shape::even>(blocks, line, v);
  load_lanes<Shape::ragged>(blocks, line, v);
}
[[gnu::always_inline]] static inline void store_lanes(FourBlocks (*blocks)[vectors], const Line& line, unsigned v) {
  if (line.shape == Shape::whole) return store_lanes<Shape::whole>(blocks, line, v);
  if (line.shape == Shape::even) return store_lanes<Shape::even>(blocks, line, v);
  store_lanes<Shape::ragged>(blocks, line, v);
}

// A block of every lane.
template <class RoundKey>
[[gnu::always_inline]] static inline void encrypt_block(FourBlocks (&block)[vectors], FourBlocks (&chained)[vectors],
                                                        const RoundKey& round_key) {
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) chained[v] ^= block[v];
  encrypt(chained, round_key);
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) block[v] = chained[v];
}

// Loads, encrypts and stores a line.
[[gnu::always_inline]] static inline void encrypt_line(const Line& line, FourBlocks (&chained)[vectors],
                                                       auto&& round_key) {
  FourBlocks blocks[4][vectors];
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) load_lanes(blocks, line, v);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    if (i < line.blocks) encrypt_block(blocks[i], chained, round_key);
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) store_lanes(blocks, line, v);
}

// One vector of each round key serves all lanes.
class OneKey {
 public:
  [[gnu::always_inline]] explicit OneKey(const Key& key) {
#pragma GCC unroll 11
    for (unsigned round = 0; round <= rounds; ++round) keys_[round] = repeat(&key.encrypting[round]);
  }
  [[gnu::always_inline]] FourBlocks operator()(unsigned /*v*/, unsigned round) const { return keys_[round]; }

 private:
  FourBlocks keys_[rounds + 1];
};

}  // namespace aes_cbc
