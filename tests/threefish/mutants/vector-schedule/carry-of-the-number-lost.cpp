// The number of a subkey is added to the low half of its word, and the carry is lost.
#include "../blocks.hpp"

namespace threefish {
namespace {

Subkeys make_wrong_subkeys(const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  for (unsigned s = 0; s < subkeys.size(); ++s) {
    const std::uint64_t word = subkeys[s][3] - s;
    subkeys[s][3] = (word >> 32) << 32 | static_cast<std::uint32_t>(word + s);
  }
  return subkeys;
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_wrong_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_wrong_subkeys(key, tweak));
}

}  // namespace threefish
