// One round is missing: encrypt and decrypt still undo each other.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  for (Block& block : blocks) encrypt_block(block, make_subkeys(key, tweak), rotations, rounds - 1);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  for (Block& block : blocks) decrypt_block(block, make_subkeys(key, tweak), rotations, rounds - 1);
}

}  // namespace threefish
