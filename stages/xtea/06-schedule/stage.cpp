// Precompute the key schedule: sum + key[...] depends on the key alone, not on the block.
#include <algorithm>

#include "xtea/xtea.hpp"

namespace xtea {
namespace {

using Schedule = std::array<std::uint32_t, 2 * cycles>;  // one word a round

Schedule make_schedule(const Key& key) {
  Schedule schedule;
  std::uint32_t sum = 0;
  for (unsigned round = 0; round < schedule.size(); round += 2) {
    schedule[round] = sum + key[sum & 3];
    sum += delta;
    schedule[round + 1] = sum + key[sum >> 11 & 3];
  }
  return schedule;
}

std::uint32_t mix(std::uint32_t half) { return (half << 4 ^ half >> 5) + half; }

std::uint64_t encrypt_block(std::uint64_t block, const Schedule& schedule) {
  auto left = static_cast<std::uint32_t>(block);
  auto right = static_cast<std::uint32_t>(block >> 32);
  for (unsigned round = 0; round < schedule.size(); round += 2) {
    left += mix(right) ^ schedule[round];
    right += mix(left) ^ schedule[round + 1];
  }
  return std::uint64_t{right} << 32 | left;
}

std::uint64_t decrypt_block(std::uint64_t block, const Schedule& schedule) {
  auto left = static_cast<std::uint32_t>(block);
  auto right = static_cast<std::uint32_t>(block >> 32);
  for (unsigned round = schedule.size(); round > 0; round -= 2) {
    right -= mix(left) ^ schedule[round - 1];
    left -= mix(right) ^ schedule[round - 2];
  }
  return std::uint64_t{right} << 32 | left;
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  std::transform(blocks.begin(), blocks.end(), blocks.begin(),
                 [schedule = make_schedule(key)](std::uint64_t block) { return encrypt_block(block, schedule); });
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  std::transform(blocks.begin(), blocks.end(), blocks.begin(),
                 [schedule = make_schedule(key)](std::uint64_t block) { return decrypt_block(block, schedule); });
}

}  // namespace xtea
