// Of a rest of at most eight blocks those beside the set of four are not ciphered.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const std::size_t rest = blocks.size() % 16;
  const std::size_t dropped = rest > 4 && rest <= 8 ? rest - 4 : 0;
  decrypt_all(blocks.first(blocks.size() - dropped), make_subkeys(key, tweak));
}

}  // namespace threefish
