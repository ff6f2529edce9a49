// Decryption of one buffer in bit planes: its blocks are the lanes, so all lanes have one key.
#pragma once

#include <algorithm>

#include "des3-cbc/00-reference/des.hpp"
#include "des3-cbc/06-bit-slicing/rounds.hpp"

namespace des3_cbc {

// A plane of a key has the same bit in all lanes.
inline KeyPlanes broadcast(const Key& key) {
  KeyPlanes planes;
  for (unsigned i = 0; i < 3 * 64; ++i) planes[i / 64][i % 64] = Plane{} - (key.bytes[i / 8] >> i % 8 & 1u);
  return planes;
}

// Decrypts `job` from byte `from` on, as long as `fewest` blocks or more are left. `chain` is the block before. Returns
// the byte where it stopped.
template <class Boxes>
std::size_t decrypt_in_planes(const Job& job, std::size_t from, Block& chain, std::size_t fewest) {
  if (job.size - from < fewest * block_bytes) return from;
  const KeyPlanes keys = broadcast(*job.key);
  do {
    const std::size_t bytes = std::min(job.size - from, sizeof(Words));
    Words blocks{}, before;
    std::memcpy(blocks.data(), job.in + from, bytes);
    before[0] = big_endian(chain);
    std::copy(blocks.begin(), blocks.end() - 1, before.begin() + 1);
    chain = load(job.in + from + bytes - block_bytes);
    cipher<Boxes, Direction::decrypt>(blocks, keys);
    for (std::size_t i = 0; i < plane_lanes; ++i) blocks[i] ^= before[i];
    std::memcpy(job.out + from, blocks.data(), bytes);
    from += bytes;
  } while (job.size - from >= fewest * block_bytes);
  return from;
}

}  // namespace des3_cbc
