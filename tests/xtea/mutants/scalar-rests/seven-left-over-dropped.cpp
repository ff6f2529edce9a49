// Seven blocks that are left over after groups of 64 are not ciphered.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const bool dropped = blocks.size() > 64 && blocks.size() % 64 == 7;
  for (std::uint64_t& block : blocks.first(blocks.size() - (dropped ? 7 : 0))) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
