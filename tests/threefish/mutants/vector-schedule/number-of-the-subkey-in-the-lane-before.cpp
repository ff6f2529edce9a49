// The number of a subkey is added to its third word.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  for (unsigned s = 0; s < subkeys.size(); ++s) subkeys[s][2] += s, subkeys[s][3] -= s;
  encrypt_all(blocks, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
