// Lanes: several buffers whose rounds are interleaved.
#pragma once

#include "aes-cbc/02-aes-instructions/one_block.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

template <unsigned width>
struct Lanes {
  const std::uint8_t* in[width];
  std::uint8_t* out[width];
  const Key* key[width];
  Vector chained[width];

  void put(unsigned lane, const Job& job) {
    in[lane] = job.in, out[lane] = job.out, key[lane] = job.key, chained[lane] = load(job.iv);
  }
};

// The next `size` bytes of every lane. `round_key(lane, round)` is the key of a round.
template <unsigned width>
[[gnu::always_inline]] static inline void encrypt(Lanes<width>& lanes, std::size_t size, auto&& round_key) {
  Vector blocks[width];
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = lanes.chained[lane];
  for (std::size_t i = 0; i < size; i += block_bytes) {
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) blocks[lane] ^= load(lanes.in[lane] + i);
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = add_key(blocks[lane], round_key(lane, 0));
    for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 8
      for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = encrypt_round(blocks[lane], round_key(lane, round));
    }
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) {
      blocks[lane] = encrypt_last_round(blocks[lane], round_key(lane, rounds));
    }
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) store(lanes.out[lane] + i, blocks[lane]);
  }
  for (unsigned lane = 0; lane < width; ++lane) {
    lanes.in[lane] += size, lanes.out[lane] += size, lanes.chained[lane] = blocks[lane];
  }
}

template <unsigned width>
static void encrypt(Lanes<width>& lanes, std::size_t size) {
  encrypt(lanes, size, [&](unsigned lane, unsigned round) { return load(&lanes.key[lane]->encrypting[round]); });
}

}  // namespace aes_cbc
