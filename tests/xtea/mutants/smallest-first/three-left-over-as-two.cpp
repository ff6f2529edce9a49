// One comparison is wrong: three blocks left over after whole groups go to the kernel for two.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const bool forgotten = blocks.size() > 64 && blocks.size() % 64 == 3;
  for (std::uint64_t& block : blocks.first(blocks.size() - forgotten)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
