// Reference: a table of subkeys, and for every block 72 rounds as in the specification.
#include <bit>

#include "threefish/00-reference/subkeys.hpp"
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

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
