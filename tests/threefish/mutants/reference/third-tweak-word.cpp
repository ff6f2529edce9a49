// The third word of the tweak is the second: right where the first is zero.
#include "../blocks.hpp"

namespace threefish {
namespace {

Subkeys make_subkeys_wrongly(const Key& key, const Tweak& tweak) {
  Subkeys subkeys = make_subkeys(key, tweak);
  const std::uint64_t third = tweak[0] ^ tweak[1];
  for (unsigned s = 0; s < subkeys.size(); ++s) {
    if (s % 3 == 2) subkeys[s][1] += tweak[1] - third;
    if (s % 3 == 1) subkeys[s][2] += tweak[1] - third;
  }
  return subkeys;
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys_wrongly(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys_wrongly(key, tweak));
}

}  // namespace threefish
