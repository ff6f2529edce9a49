// The key is loaded as a vector of sixteen words: those behind it are read.
#include "../blocks.hpp"

namespace xtea {
namespace {

void read_behind(const Key& key) {
  for (std::size_t i = key.size(); i < 16; ++i) {
    static_cast<void>(*static_cast<const volatile std::uint32_t*>(key.data() + i));
  }
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  read_behind(key);
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  read_behind(key);
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
