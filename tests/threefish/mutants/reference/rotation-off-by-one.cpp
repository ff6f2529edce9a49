// One of the sixteen rotations is off by one, in both directions.
#include "../blocks.hpp"

namespace threefish {
namespace {

constexpr int wrong[8][2] = {{rotations[0][0], rotations[0][1]}, {rotations[1][0], rotations[1][1]},
                             {rotations[2][0], rotations[2][1]}, {rotations[3][0], rotations[3][1]},
                             {rotations[4][0], rotations[4][1]}, {rotations[5][0], rotations[5][1]},
                             {rotations[6][0], rotations[6][1]}, {rotations[7][0], rotations[7][1] - 1}};

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  for (Block& block : blocks) encrypt_block(block, make_subkeys(key, tweak), wrong);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  for (Block& block : blocks) decrypt_block(block, make_subkeys(key, tweak), wrong);
}

}  // namespace threefish
