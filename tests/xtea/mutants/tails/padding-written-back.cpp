// A tail padded to four blocks is written back with its padding.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t padded = (blocks.size() + 3) / 4 * 4;
  for (std::size_t i = 0; i < padded; ++i) blocks.data()[i] = encrypt_block(blocks.data()[i], key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
