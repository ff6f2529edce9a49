// The number of a subkey counts in pairs: every second one has the number of the one before.
#include "../blocks.hpp"

namespace threefish {
namespace {

Subkeys make_subkeys_wrongly(const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  for (unsigned s = 1; s < subkeys.size(); s += 2) subkeys[s][3] -= 1;
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
