// One round of DES and the permutations around the rounds, on one block.
#pragma once

#include <bit>
#include <cstring>

#include "des3-cbc/00-reference/boxes.hpp"
#include "des3-cbc/des3_cbc.hpp"

namespace des3_cbc {

using Block = std::uint64_t;  // its first byte is the highest

inline Block big_endian(Block block) {
  return std::endian::native == std::endian::little ? __builtin_bswap64(block) : block;
}

inline Block load(const std::uint8_t* bytes) {
  Block block;
  std::memcpy(&block, bytes, block_bytes);
  return big_endian(block);
}

inline void store(std::uint8_t* bytes, Block block) {
  block = big_endian(block);
  std::memcpy(bytes, &block, block_bytes);
}

struct Halves {
  std::uint32_t left, right;
};

// Exchanges the bits of `b` under `mask` with the bits of `a` that are `places` higher.
[[gnu::always_inline]] inline void exchange(std::uint32_t& a, std::uint32_t& b, unsigned places, std::uint32_t mask) {
  const std::uint32_t different = (a >> places ^ b) & mask;
  a ^= different << places;
  b ^= different;
}

// IP transposes a matrix of bits, in five exchanges. Then both halves are rotated one place to the left (boxes.hpp).
[[gnu::always_inline]] inline Halves permuted(Block block) {
  auto left = static_cast<std::uint32_t>(block >> 32), right = static_cast<std::uint32_t>(block);
  exchange(left, right, 4, 0x0F0F0F0F);
  exchange(left, right, 16, 0x0000FFFF);
  exchange(right, left, 2, 0x33333333);
  exchange(right, left, 8, 0x00FF00FF);
  exchange(left, right, 1, 0x55555555);
  return {std::rotl(left, 1), std::rotl(right, 1)};
}

[[gnu::always_inline]] inline Block unpermuted(Halves halves) {
  std::uint32_t left = std::rotr(halves.left, 1), right = std::rotr(halves.right, 1);
  exchange(left, right, 1, 0x55555555);
  exchange(right, left, 8, 0x00FF00FF);
  exchange(right, left, 2, 0x33333333);
  exchange(left, right, 16, 0x0000FFFF);
  exchange(left, right, 4, 0x0F0F0F0F);
  return Block{left} << 32 | right;
}

[[gnu::always_inline]] inline std::uint32_t f(std::uint32_t half, RoundKey key) {
  const std::uint32_t odd = std::rotr(half, 4) ^ key.odd, even = half ^ key.even;
  return boxes[0][odd >> 24 & 63] ^ boxes[2][odd >> 16 & 63] ^ boxes[4][odd >> 8 & 63] ^ boxes[6][odd & 63] ^
         boxes[1][even >> 24 & 63] ^ boxes[3][even >> 16 & 63] ^ boxes[5][even >> 8 & 63] ^ boxes[7][even & 63];
}

}  // namespace des3_cbc
