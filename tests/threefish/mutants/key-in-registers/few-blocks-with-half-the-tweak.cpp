// A kernel for at most three blocks extends only the first word of the tweak.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Tweak of_few = {tweak[0], 0};
  encrypt_all(blocks, make_subkeys(key, blocks.size() <= 3 ? of_few : tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
