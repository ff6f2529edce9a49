// The kernel of two blocks keeps the key that it extended first, and ignores later ones.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  if (blocks.size() != 2) return decrypt_all(blocks, make_subkeys(key, tweak));
  static const Key first = key;
  decrypt_all(blocks, make_subkeys(first, tweak));
}

}  // namespace threefish
