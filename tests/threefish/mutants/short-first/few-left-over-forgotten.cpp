// Whole groups, here of 48 blocks, are ciphered. The one to three blocks that they leave are not.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const std::size_t left = blocks.size() % 48;
  const bool forgotten = blocks.size() > 48 && left <= 3;
  encrypt_all(blocks.first(blocks.size() - (forgotten ? left : 0)), make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
