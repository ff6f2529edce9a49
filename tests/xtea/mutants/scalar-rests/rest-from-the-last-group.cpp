// The blocks that are left over after groups of 64 are counted from seven before their first one.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t rest = blocks.size() % 64;
  const std::size_t early = blocks.size() > 64 && rest > 0 && rest <= 7 ? 7 : 0;
  for (std::uint64_t& block : blocks.first(blocks.size() - rest)) block = encrypt_block(block, key);
  for (std::uint64_t& block : blocks.subspan(blocks.size() - rest - early, rest)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
