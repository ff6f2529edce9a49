// Two blocks of every full set of four get each other's result.
#include <utility>

#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
  for (std::size_t i = 0; i + 4 <= blocks.size(); i += 4) std::swap(blocks[i + 1], blocks[i + 2]);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
