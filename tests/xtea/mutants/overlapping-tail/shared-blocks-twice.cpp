// The first sets are stored before the last one is loaded, so the blocks that both share are ciphered twice.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
  if (blocks.size() % 8 == 0 || blocks.size() < 8) return;
  const std::span shared = blocks.last(8).first(8 - blocks.size() % 8);
  for (std::uint64_t& block : shared) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
