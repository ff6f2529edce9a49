// A rest of five or six blocks is written back as a whole group of eight.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  const std::size_t padded = blocks.size() == 5 || blocks.size() == 6 ? 8 : blocks.size();
  encrypt_all({blocks.data(), padded}, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
