// The last of three sets begins one block early, so the last of eleven blocks stays as it was.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const bool early = blocks.size() % 15 == 11;
  decrypt_all(blocks.first(blocks.size() - (early ? 1 : 0)), make_subkeys(key, tweak));
}

}  // namespace threefish
