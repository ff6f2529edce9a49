// The number of a subkey is kept in four bits.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  for (unsigned s = 16; s < subkeys.size(); ++s) subkeys[s][3] -= 16;
  encrypt_all(blocks, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
