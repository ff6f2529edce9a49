// Declare every variable of the outer loop in its for statement.
// variants: O2
#include "xtea/xtea.hpp"

namespace xtea {
namespace {

std::uint32_t mix(std::uint32_t half) { return (half << 4 ^ half >> 5) + half; }

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint32_t cycle = 0, sum = 0, next_sum = delta; cycle < cycles; ++cycle, sum = next_sum, next_sum += delta) {
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
  for (std::uint32_t cycle = 0, sum = delta * cycles, next_sum = sum - delta; cycle < cycles;
       ++cycle, sum = next_sum, next_sum -= delta) {
    for (std::uint64_t& block : blocks) {
      auto left = static_cast<std::uint32_t>(block);
      auto right = static_cast<std::uint32_t>(block >> 32);
      right -= mix(left) ^ (sum + key[sum >> 11 & 3]);
      left -= mix(right) ^ (next_sum + key[next_sum & 3]);
      block = std::uint64_t{right} << 32 | left;
    }
  }
}

}  // namespace xtea
