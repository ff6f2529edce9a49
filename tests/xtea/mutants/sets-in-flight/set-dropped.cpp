// Sets of six times four blocks: the sets of the tail are dropped, its single blocks are not.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t full = blocks.size() / 24 * 24;
  const std::size_t sets = blocks.size() / 4 * 4;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i < full || i >= sets) blocks[i] = encrypt_block(blocks[i], key);
  }
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
