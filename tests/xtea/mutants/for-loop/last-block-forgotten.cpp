// An off-by-one in the loop bound: the last block stays as it was.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) blocks[i] = encrypt_block(blocks[i], key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
