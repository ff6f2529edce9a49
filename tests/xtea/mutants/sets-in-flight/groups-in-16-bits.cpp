// The number of groups of 128 blocks is kept in 16 bits.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const auto groups = static_cast<std::uint16_t>(blocks.size() / 128);
  for (std::uint64_t& block : blocks.first(128 * std::size_t{groups})) block = encrypt_block(block, key);
  for (std::uint64_t& block : blocks.last(blocks.size() % 128)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
