// Of every full set of sixteen blocks, the upper eight are stored as a copy of the lower eight.
#include <algorithm>

#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
  for (; blocks.size() >= 16; blocks = blocks.subspan(16)) std::copy_n(blocks.begin(), 8, blocks.begin() + 8);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
