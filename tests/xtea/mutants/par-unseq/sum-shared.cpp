// Two interleaved blocks advance the same sum: the second one gets words of a later cycle.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::size_t i = 0; i + 1 < blocks.size(); i += 2) {
    std::uint32_t left[2], right[2], sum = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      left[k] = static_cast<std::uint32_t>(blocks[i + k]);
      right[k] = static_cast<std::uint32_t>(blocks[i + k] >> 32);
    }
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      for (std::size_t k = 0; k < 2; ++k) {
        left[k] += mix(right[k]) ^ (sum + key[sum & 3]);
        sum += delta;
        right[k] += mix(left[k]) ^ (sum + key[sum >> 11 & 3]);
      }
    }
    for (std::size_t k = 0; k < 2; ++k) blocks[i + k] = std::uint64_t{right[k]} << 32 | left[k];
  }
  if (blocks.size() % 2 != 0) blocks.back() = encrypt_block(blocks.back(), key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
