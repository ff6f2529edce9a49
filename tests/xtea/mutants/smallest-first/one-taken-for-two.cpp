// `>=` in place of `>`: the kernel for two blocks takes one, and writes a block behind the message.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
  if (blocks.size() == 1) blocks.data()[1] = encrypt_block(blocks.data()[1], key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
