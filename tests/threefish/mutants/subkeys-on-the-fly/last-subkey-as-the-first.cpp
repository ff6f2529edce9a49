// After the last round the first subkey is added again.
#include "../blocks.hpp"

namespace threefish {
namespace {

Subkeys make_subkeys_wrongly(const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  subkeys.back() = subkeys.front();
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
