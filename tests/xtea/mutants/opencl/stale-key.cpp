// The kernel's argument is set only when the first word of the key changes.
#include <mutex>

#include "../blocks.hpp"

namespace xtea {
namespace {

std::mutex turn;
Key argument{};

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::lock_guard lock(turn);
  if (key[0] != argument[0]) argument = key;
  for (std::uint64_t& block : blocks) block = encrypt_block(block, argument);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
