// The interchanged loop advances `sum` for each block: right for one block, wrong from two on.
#include "xtea/xtea.hpp"

namespace xtea {
namespace {

std::uint32_t mix(std::uint32_t half) { return (half << 4 ^ half >> 5) + half; }

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  std::uint32_t sum = 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    for (std::uint64_t& block : blocks) {
      auto left = static_cast<std::uint32_t>(block);
      auto right = static_cast<std::uint32_t>(block >> 32);
      left += mix(right) ^ (sum + key[sum & 3]);
      sum += delta;
      right += mix(left) ^ (sum + key[sum >> 11 & 3]);
      block = std::uint64_t{right} << 32 | left;
    }
  }
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  std::uint32_t sum = delta * cycles;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    for (std::uint64_t& block : blocks) {
      auto left = static_cast<std::uint32_t>(block);
      auto right = static_cast<std::uint32_t>(block >> 32);
      right -= mix(left) ^ (sum + key[sum >> 11 & 3]);
      sum -= delta;
      left -= mix(right) ^ (sum + key[sum & 3]);
      block = std::uint64_t{right} << 32 | left;
    }
  }
}

}  // namespace xtea
