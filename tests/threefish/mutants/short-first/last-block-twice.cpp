// The rest begins a block too early, so a block that is done is ciphered again.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  decrypt_all(blocks, subkeys);
  if (blocks.size() == 15) decrypt_all(blocks.last(1), subkeys);
}

}  // namespace threefish
