// Two lanes of every full set of four get each other's result.
#include <utility>

#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
  for (std::size_t i = 0; i + 4 <= blocks.size(); i += 4) std::swap(blocks[i + 1], blocks[i + 2]);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
