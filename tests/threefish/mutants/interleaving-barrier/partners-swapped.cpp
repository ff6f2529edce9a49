// In whole groups of 15 the blocks beside the first and the third set are stored in each other's place.
#include <utility>

#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
  for (std::size_t i = 0; i + 15 <= blocks.size(); i += 15) std::swap(blocks[i + 12], blocks[i + 14]);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
