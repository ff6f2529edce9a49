// The blocks left over after sets of four are taken from the front of the message.
#include <algorithm>

#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  const auto rest = blocks.last(blocks.size() % 4);
  if (rest.size() < blocks.size()) std::copy_n(blocks.begin(), rest.size(), rest.begin());
  encrypt_all(blocks, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
