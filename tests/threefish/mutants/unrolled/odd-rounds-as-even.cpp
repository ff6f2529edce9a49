// Rounds 4 to 7 of every eight are written with the words of the even round in each round.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  for (Block& words : blocks) {
    for (unsigned r = 0; r < rounds; ++r) {
      for (unsigned i = 0; i < 4 && r % 4 == 0; ++i) words[i] += subkeys[r / 4][i];
      for (unsigned mix = 0; mix < 2; ++mix) {
        std::uint64_t &left = words[2 * mix], &right = words[odd[r % 8 < 4 ? r % 2 : 0][mix]];
        left += right;
        right = std::rotl(right, rotations[r % 8][mix]) ^ left;
      }
    }
    for (unsigned i = 0; i < 4; ++i) words[i] += subkeys[rounds / 4][i];
  }
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
