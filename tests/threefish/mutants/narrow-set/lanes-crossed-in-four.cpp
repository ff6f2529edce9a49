// When four blocks are decrypted, the rows of the second and the third are exchanged after the transposition.
#include <utility>

#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
  if (blocks.size() == 4) std::swap(blocks[1], blocks[2]);
}

}  // namespace threefish
