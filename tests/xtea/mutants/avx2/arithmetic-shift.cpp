// The shift to the right keeps the sign, as _mm256_srai_epi32 does.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const auto signed_mix = [](std::uint32_t half) {
    return (half << 4 ^ static_cast<std::uint32_t>(static_cast<std::int32_t>(half) >> 5)) + half;
  };
  for (std::uint64_t& block : blocks) {
    auto left = static_cast<std::uint32_t>(block);
    auto right = static_cast<std::uint32_t>(block >> 32);
    std::uint32_t sum = 0;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      left += signed_mix(right) ^ (sum + key[sum & 3]);
      sum += delta;
      right += signed_mix(left) ^ (sum + key[sum >> 11 & 3]);
    }
    block = std::uint64_t{right} << 32 | left;
  }
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
