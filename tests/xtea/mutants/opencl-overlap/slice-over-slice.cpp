// A lane begins its next slice before the last one is copied out, from the second round of the lanes on.
#include "../blocks.hpp"

namespace xtea {
namespace {

constexpr std::size_t slice = std::size_t{1} << 15;  // blocks
constexpr std::size_t lanes = 3;

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t slices = (blocks.size() + slice - 1) / slice;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool overwritten = i / slice + lanes < slices;
    if (!overwritten) blocks[i] = encrypt_block(blocks[i], key);
  }
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
