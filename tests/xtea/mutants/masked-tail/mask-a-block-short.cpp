// The mask of 8 to 15 blocks is one bit short, so the last of them stays as it was.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const bool partial = blocks.size() % 16 >= 8;
  for (std::uint64_t& block : blocks.first(blocks.size() - partial)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const bool partial = blocks.size() % 16 >= 8;
  for (std::uint64_t& block : blocks.first(blocks.size() - partial)) block = decrypt_block(block, key);
}

}  // namespace xtea
