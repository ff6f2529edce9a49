// The words are not permuted: the halves of a block do not depend on each other.
#include "../blocks.hpp"

namespace threefish {
namespace {

constexpr unsigned stay[2][2] = {{1, 3}, {1, 3}};

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  for (Block& block : blocks) encrypt_block(block, make_subkeys(key, tweak), rotations, rounds, stay);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  for (Block& block : blocks) decrypt_block(block, make_subkeys(key, tweak), rotations, rounds, stay);
}

}  // namespace threefish
