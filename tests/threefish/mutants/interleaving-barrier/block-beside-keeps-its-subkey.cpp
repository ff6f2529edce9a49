// A single block beside a set misses the last subtraction of a subkey: decryption leaves the first subkey in it.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  decrypt_all(blocks, subkeys);
  if (blocks.size() < 5) return;
  for (std::size_t i = 0; i < 4; ++i) blocks[blocks.size() / 5 * 5 - 1][i] += subkeys[0][i];
}

}  // namespace threefish
