// Subkeys repeat after fifteen, as the words of key and tweak do: the number begins again, too.
#include "../blocks.hpp"

namespace threefish {
namespace {

Subkeys make_subkeys_wrongly(const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  for (unsigned s = 15; s < subkeys.size(); ++s) subkeys[s] = subkeys[s - 15];
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
