// What stages 04 and 05 came to, for stages 05 to 09: eight buffers side by side. Whose round key it is, stage 09 asks.
#pragma once

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/one_block.hpp"

namespace aes_cbc {

constexpr unsigned width = 8;  // lanes: buffers that are worked on side by side

struct Lanes {
  const std::uint8_t* in[width];
  std::uint8_t* out[width];
  const Key* key[width];
  Vector chained[width];

  void put(unsigned lane, const Job& job) {
    in[lane] = job.in, out[lane] = job.out, key[lane] = job.key, chained[lane] = load(job.iv);
  }
  // One lane does the work of another once more, and writes the same to the same place.
  void copy(unsigned to, unsigned from) {
    in[to] = in[from], out[to] = out[from], key[to] = key[from], chained[to] = chained[from];
  }
};

// `round_key(lane, round)` is the key of a round.
[[gnu::always_inline]] static inline void encrypt(Vector (&blocks)[width], auto&& round_key) {
  if (!with_kernel) return;
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) blocks[lane] ^= round_key(lane, 0);
  for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = _mm_aesenc_si128(blocks[lane], round_key(lane, round));
  }
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) {
    blocks[lane] = _mm_aesenclast_si128(blocks[lane], round_key(lane, rounds));
  }
}

// The next `size` bytes of every lane.
[[gnu::always_inline]] static inline void encrypt(Lanes& lanes, std::size_t size, auto&& round_key) {
  Vector blocks[width];
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = lanes.chained[lane];
  for (std::size_t i = 0; i < size; i += block_bytes) {
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) blocks[lane] ^= load(lanes.in[lane] + i);
    encrypt(blocks, round_key);
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) store(lanes.out[lane] + i, blocks[lane]);
  }
  for (unsigned lane = 0; lane < width; ++lane) {
    lanes.in[lane] += size, lanes.out[lane] += size, lanes.chained[lane] = blocks[lane];
  }
}

static inline void encrypt(Lanes& lanes, std::size_t size) {
  encrypt(lanes, size, [&](unsigned lane, unsigned round) { return load(&lanes.key[lane]->encrypting[round]); });
}

}  // namespace aes_cbc
