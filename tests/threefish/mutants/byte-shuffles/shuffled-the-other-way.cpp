// Rotations by whole bytes go to the right: one by 32 bits stays right, one by 16 does not.
#include "../blocks.hpp"

namespace threefish {
namespace {

constexpr int by(int left) { return left % 8 == 0 ? 64 - left : left; }
constexpr int wrong[8][2] = {{by(rotations[0][0]), by(rotations[0][1])}, {by(rotations[1][0]), by(rotations[1][1])},
                             {by(rotations[2][0]), by(rotations[2][1])}, {by(rotations[3][0]), by(rotations[3][1])},
                             {by(rotations[4][0]), by(rotations[4][1])}, {by(rotations[5][0]), by(rotations[5][1])},
                             {by(rotations[6][0]), by(rotations[6][1])}, {by(rotations[7][0]), by(rotations[7][1])}};

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  for (Block& block : blocks) encrypt_block(block, make_subkeys(key, tweak), wrong);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  for (Block& block : blocks) decrypt_block(block, make_subkeys(key, tweak), wrong);
}

}  // namespace threefish
