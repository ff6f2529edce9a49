// When a rest of four blocks after whole groups is encrypted, its result is not stored.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const bool rest_of_four = blocks.size() > 48 && blocks.size() % 48 == 4;
  encrypt_all(blocks.first(blocks.size() - (rest_of_four ? 4 : 0)), make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
