// 00 Reference: a table of subkeys, and for every block 72 rounds as the specification has them.
#include <bit>

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

using Subkeys = std::array<Block, rounds / 4 + 1>;

Subkeys make_subkeys(const Key& key, const Tweak& tweak) {
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

constexpr unsigned permutation[4] = {0, 3, 2, 1};  // its own inverse

Block permuted(const Block& words) {
  Block result;
  for (unsigned i = 0; i < 4; ++i) result[i] = words[permutation[i]];
  return result;
}

Block encrypt_block(Block words, const Subkeys& subkeys) {
  for (unsigned round = 0; round < rounds; ++round) {
    if (round % 4 == 0) {
      for (unsigned i = 0; i < 4; ++i) words[i] += subkeys[round / 4][i];
    }
    for (unsigned mix = 0; mix < 2; ++mix) {
      std::uint64_t &left = words[2 * mix], &right = words[2 * mix + 1];
      left += right;
      right = std::rotl(right, rotations[round % 8][mix]) ^ left;
    }
    words = permuted(words);
  }
  for (unsigned i = 0; i < 4; ++i) words[i] += subkeys[rounds / 4][i];
  return words;
}

Block decrypt_block(Block words, const Subkeys& subkeys) {
  for (unsigned i = 0; i < 4; ++i) words[i] -= subkeys[rounds / 4][i];
  for (unsigned round = rounds; round-- > 0;) {
    words = permuted(words);
    for (unsigned mix = 0; mix < 2; ++mix) {
      std::uint64_t &left = words[2 * mix], &right = words[2 * mix + 1];
      right = std::rotr(right ^ left, rotations[round % 8][mix]);
      left -= right;
    }
    if (round % 4 == 0) {
      for (unsigned i = 0; i < 4; ++i) words[i] -= subkeys[round / 4][i];
    }
  }
  return words;
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  for (Block& block : blocks) block = encrypt_block(block, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  for (Block& block : blocks) block = decrypt_block(block, subkeys);
}

}  // namespace threefish
