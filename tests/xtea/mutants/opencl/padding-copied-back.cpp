// A launch has whole work-groups, and all of their blocks are copied back, also those past the end of the message.
#include <algorithm>
#include <vector>

#include "../blocks.hpp"

namespace xtea {
namespace {

constexpr std::size_t group = 64;

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  std::vector<std::uint64_t> buffer((blocks.size() + group - 1) / group * group);
  std::copy(blocks.begin(), blocks.end(), buffer.begin());
  for (std::uint64_t& block : buffer) block = encrypt_block(block, key);
  std::copy(buffer.begin(), buffer.end(), blocks.data());
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
