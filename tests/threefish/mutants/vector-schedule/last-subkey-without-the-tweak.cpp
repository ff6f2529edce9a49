// The last subkey lacks the second word of the tweak.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  subkeys.back()[2] -= tweak[1];
  encrypt_all(blocks, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
