// Threads share the device's buffer without a lock.
#include <thread>

#include "../blocks.hpp"

namespace xtea {
namespace {

// Volatile: another thread may write to it.
volatile std::uint64_t buffer[1 << 24];

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::size_t i = 0; i < blocks.size(); ++i) buffer[i] = blocks[i];
  for (std::size_t i = 0; i < blocks.size(); ++i) buffer[i] = encrypt_block(buffer[i], key);
  std::this_thread::yield();
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = buffer[i];
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
