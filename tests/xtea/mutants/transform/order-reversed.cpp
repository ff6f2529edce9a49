// The output begins at the other end: the ciphered blocks are in reverse order.
#include <algorithm>

#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
  std::reverse(blocks.begin(), blocks.end());
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
