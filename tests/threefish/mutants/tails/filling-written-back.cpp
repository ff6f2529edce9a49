// A tail padded to four blocks is written back with its padding.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  const std::size_t filled = (blocks.size() + 3) / 4 * 4;
  for (std::size_t i = 0; i < filled; ++i) encrypt_block(blocks.data()[i], subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
