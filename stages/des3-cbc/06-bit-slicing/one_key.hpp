// Decryption of one buffer in bit planes: its blocks are the lanes, so all lanes have one key.
#pragma once

#include <algorithm>

#include "des3-cbc/00-reference/des.hpp"
#include "des3-cbc/06-bit-slicing/rounds.hpp"

namespace des3_cbc {

// A plane of a key has the same bit in all lanes.
inline KeyPlanes<WidestPlane> broadcast(const Key& key) {
  KeyPlanes<WidestPlane> planes;
  for (unsigned i = 0; i < 3 * 64; ++i) planes[i / 64][i % 64] = WidestPlane{} - (key.bytes[i / 8] >> i % 8 & 1u);
  return planes;
}

// Decrypts `job` as long as `fewest` blocks or more are left. `chain` is the iv, then the last block that was read.
// Returns the byte where it stopped.
template <class Boxes>
std::size_t decrypt_in_planes(const Job& job, Block& chain, std::size_t fewest) {
  if (job.size < fewest * block_bytes) return 0;
  const KeyPlanes<WidestPlane> keys = broadcast(*job.key);
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(job.size - at, sizeof(Words<WidestPlane>));
    Words<WidestPlane> blocks{}, before;
    std::memcpy(blocks.data(), job.in + at, bytes);
    before[0] = big_endian(chain);
    std::copy(blocks.begin(), blocks.end() - 1, before.begin() + 1);
    chain = load(job.in + at + bytes - block_bytes);
    cipher<Boxes, Direction::decrypt>(blocks, keys);
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] ^= before[i];
    std::memcpy(job.out + at, blocks.data(), bytes);
    at += bytes;
  } while (job.size - at >= fewest * block_bytes);
  return at;
}

}  // namespace des3_cbc
