// The choice of a kernel ends one too early. A rest of one block less than a group, here 15, loses its last block.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const bool last = blocks.size() % 15 == 14;
  encrypt_all(blocks.first(blocks.size() - (last ? 1 : 0)), make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
