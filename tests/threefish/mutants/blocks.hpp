// Correct functions for single blocks, for mutants whose fault is elsewhere.
#pragma once

#include <bit>

#include "threefish/threefish.hpp"

namespace threefish {

using Subkeys = std::array<Block, rounds / 4 + 1>;

inline Subkeys make_subkeys(const Key& key, const Tweak& tweak) {
  const std::uint64_t words[5] = {key[0], key[1], key[2], key[3], parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]};
  const std::uint64_t tweaks[3] = {tweak[0], tweak[1], tweak[0] ^ tweak[1]};
  Subkeys subkeys;
  for (unsigned s = 0; s < subkeys.size(); ++s) {
    for (unsigned i = 0; i < 4; ++i) subkeys[s][i] = words[(s + i) % 5];
    subkeys[s][1] += tweaks[s % 3];
    subkeys[s][2] += tweaks[(s + 1) % 3];
    subkeys[s][3] += s;
  }
  return subkeys;
}

// In round r, the words 0 and 2 are mixed with the words odd[r % 2]: 1 and 3, or the other way round.
inline constexpr unsigned odd[2][2] = {{1, 3}, {3, 1}};

inline void encrypt_block(Block& words, const Subkeys& subkeys, const int (&by)[8][2] = rotations,
                          unsigned count = rounds, const unsigned (&with)[2][2] = odd) {
  for (unsigned r = 0; r < count; ++r) {
    for (unsigned i = 0; i < 4 && r % 4 == 0; ++i) words[i] += subkeys[r / 4][i];
    for (unsigned mix = 0; mix < 2; ++mix) {
      std::uint64_t &left = words[2 * mix], &right = words[with[r % 2][mix]];
      left += right;
      right = std::rotl(right, by[r % 8][mix]) ^ left;
    }
  }
  for (unsigned i = 0; i < 4; ++i) words[i] += subkeys[rounds / 4][i];
}

inline void decrypt_block(Block& words, const Subkeys& subkeys, const int (&by)[8][2] = rotations,
                          unsigned count = rounds, const unsigned (&with)[2][2] = odd) {
  for (unsigned i = 0; i < 4; ++i) words[i] -= subkeys[rounds / 4][i];
  for (unsigned r = count; r-- > 0;) {
    for (unsigned mix = 0; mix < 2; ++mix) {
      std::uint64_t &left = words[2 * mix], &right = words[with[r % 2][mix]];
      right = std::rotr(right ^ left, by[r % 8][mix]);
      left -= right;
    }
    for (unsigned i = 0; i < 4 && r % 4 == 0; ++i) words[i] -= subkeys[r / 4][i];
  }
}

inline void encrypt_all(std::span<Block> blocks, const Subkeys& subkeys) {
  for (Block& block : blocks) encrypt_block(block, subkeys);
}

inline void decrypt_all(std::span<Block> blocks, const Subkeys& subkeys) {
  for (Block& block : blocks) decrypt_block(block, subkeys);
}

}  // namespace threefish
