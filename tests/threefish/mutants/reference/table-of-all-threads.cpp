// All threads share one table: right if only one thread calls at a time.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  static Subkeys subkeys;
  subkeys = make_subkeys(key, tweak);
  encrypt_all(blocks, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  static Subkeys subkeys;
  subkeys = make_subkeys(key, tweak);
  decrypt_all(blocks, subkeys);
}

}  // namespace threefish
