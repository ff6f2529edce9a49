// Reference: one block after the other, a while loop over the message.
#include "xtea/xtea.hpp"

namespace xtea {
namespace {

std::uint32_t mix(std::uint32_t half) { return (half << 4 ^ half >> 5) + half; }

std::uint64_t encrypt_block(std::uint64_t block, const Key& key) {
  auto left = static_cast<std::uint32_t>(block);
  auto right = static_cast<std::uint32_t>(block >> 32);
  std::uint32_t sum = 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    left += mix(right) ^ (sum + key[sum & 3]);
    sum += delta;
    right += mix(left) ^ (sum + key[sum >> 11 & 3]);
  }
  return std::uint64_t{right} << 32 | left;
}

std::uint64_t decrypt_block(std::uint64_t block, const Key& key) {
  auto left = static_cast<std::uint32_t>(block);
  auto right = static_cast<std::uint32_t>(block >> 32);
  std::uint32_t sum = delta * cycles;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    right -= mix(left) ^ (sum + key[sum >> 11 & 3]);
    sum -= delta;
    left -= mix(right) ^ (sum + key[sum & 3]);
  }
  return std::uint64_t{right} << 32 | left;
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  std::size_t position = 0;
  while (position < blocks.size()) {
    blocks[position] = encrypt_block(blocks[position], key);
    ++position;
  }
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  std::size_t position = 0;
  while (position < blocks.size()) {
    blocks[position] = decrypt_block(blocks[position], key);
    ++position;
  }
}

}  // namespace xtea
