// The blocks left over after sets of four get the first block of the message.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t full = blocks.size() / 4 * 4;
  if (blocks.empty()) return;
  const std::uint64_t front = blocks.front();
  for (std::size_t i = 0; i < full; ++i) blocks[i] = encrypt_block(blocks[i], key);
  for (std::size_t i = full; i < blocks.size(); ++i) blocks[i] = encrypt_block(front, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
