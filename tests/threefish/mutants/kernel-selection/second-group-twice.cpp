// After the first group of 16 blocks the place in the message moves too late: the second group is ciphered twice.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  encrypt_all(blocks, subkeys);
  if (blocks.size() >= 32) encrypt_all(blocks.subspan(16, 16), subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
