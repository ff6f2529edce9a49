// In full sets of eight blocks, two words are stored in each other's place.
#include <utility>

#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
  for (std::size_t i = 0; i < blocks.size() / 8 * 8; ++i) std::swap(blocks[i][1], blocks[i][2]);
}

}  // namespace threefish
