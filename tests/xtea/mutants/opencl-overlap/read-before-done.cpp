// At the end the last slice is not waited for: its blocks are copied out before the kernel has run.
#include "../blocks.hpp"

namespace xtea {
namespace {

constexpr std::size_t slice = std::size_t{1} << 15;  // blocks

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t waited_for = blocks.size() <= slice ? blocks.size() : (blocks.size() - 1) / slice * slice;
  for (std::uint64_t& block : blocks.first(waited_for)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
