// In a group of 16 blocks the last lane of the sets and the first single block are stored in each other's place.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
  for (; blocks.size() >= 16; blocks = blocks.subspan(16)) std::swap(blocks[11], blocks[12]);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
