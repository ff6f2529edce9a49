// The number of a subkey is added to word 1 instead of word 3: they share a vector.
#include "../blocks.hpp"

namespace threefish {
namespace {

Subkeys make_subkeys_wrongly(const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  for (unsigned s = 0; s < subkeys.size(); ++s) {
    subkeys[s][1] += s;
    subkeys[s][3] -= s;
  }
  return subkeys;
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys_wrongly(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys_wrongly(key, tweak));
}

}  // namespace threefish
