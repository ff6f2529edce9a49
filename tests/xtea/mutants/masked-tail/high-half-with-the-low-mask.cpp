// The mask of the store is not shifted for the high half, so a last set of 8 to 15 blocks writes a whole one.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
  if (blocks.size() % 16 < 8) return;
  for (std::size_t i = blocks.size(); i % 16 != 0; ++i) blocks.data()[i] = decrypt_block(0, key);
}

}  // namespace xtea
