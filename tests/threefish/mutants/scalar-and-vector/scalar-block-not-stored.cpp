// The single block after every eight blocks in vectors is loaded but not stored.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  for (; blocks.size() >= 9; blocks = blocks.subspan(9)) encrypt_all(blocks.first(8), subkeys);
  encrypt_all(blocks, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
