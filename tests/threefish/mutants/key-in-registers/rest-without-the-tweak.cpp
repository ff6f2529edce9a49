// A single block that is left over by whole groups, here of 15 blocks, is ciphered without the tweak.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const std::size_t single = blocks.size() % 15 == 1 ? 1 : 0;
  encrypt_all(blocks.first(blocks.size() - single), make_subkeys(key, tweak));
  encrypt_all(blocks.last(single), make_subkeys(key, {}));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
