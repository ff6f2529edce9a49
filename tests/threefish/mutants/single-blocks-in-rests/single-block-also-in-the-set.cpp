// The only set of a rest of nine blocks ends with the rest, as it would without a single block: it overlaps that block,
// and the first block stays as it was.
#include "../blocks.hpp"

namespace threefish {

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, tweak));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const bool first = blocks.size() == 9;
  decrypt_all(blocks.subspan(first ? 1 : 0), make_subkeys(key, tweak));
}

}  // namespace threefish
