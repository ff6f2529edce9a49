// An off-by-one in the loop bound: the block after the last is ciphered too.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::size_t i = 0; i <= blocks.size(); ++i) blocks.data()[i] = encrypt_block(blocks.data()[i], key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
