// The single blocks begin behind the sets also where there are fewer of them than sets: one block too many is ciphered.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const bool behind = blocks.size() % 15 == 9;
  encrypt_all({blocks.data(), blocks.size() + (behind ? 1 : 0)}, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
