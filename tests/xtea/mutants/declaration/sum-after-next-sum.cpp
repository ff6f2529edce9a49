// The for statement advances `next_sum` before `sum` takes its old value: both are equal from the second cycle on.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint32_t cycle = 0, sum = 0, next_sum = delta; cycle < cycles; ++cycle, next_sum += delta, sum = next_sum) {
    for (std::uint64_t& block : blocks) {
      auto left = static_cast<std::uint32_t>(block);
      auto right = static_cast<std::uint32_t>(block >> 32);
      left += mix(right) ^ (sum + key[sum & 3]);
      right += mix(left) ^ (next_sum + key[next_sum >> 11 & 3]);
      block = std::uint64_t{right} << 32 | left;
    }
  }
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
