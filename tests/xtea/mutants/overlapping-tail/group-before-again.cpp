// A rest of less than a set overlaps the whole groups before it, too. They are done, so some blocks are ciphered again.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
  const std::size_t rest = blocks.size() % 64;
  if (blocks.size() < 64 || rest < 4 || rest >= 8) return;
  for (std::uint64_t& block : blocks.last(8).first(8 - rest)) block = decrypt_block(block, key);
}

}  // namespace xtea
