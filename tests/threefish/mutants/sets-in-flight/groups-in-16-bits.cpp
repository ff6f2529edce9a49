// The number of groups of 48 blocks is kept in 16 bits.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  const std::size_t rest = blocks.size() % 48;
  const auto groups = static_cast<std::uint16_t>(blocks.size() / 48);
  encrypt_all(blocks.first(48 * std::size_t{groups}), subkeys);
  encrypt_all(blocks.last(rest), subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
