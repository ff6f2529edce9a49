// Two comparisons with the limit disagree: four blocks after whole groups are ciphered by scalars and by vectors.
#include "../blocks.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const bool twice = blocks.size() > 64 && blocks.size() % 64 == 4;
  for (std::uint64_t& block : blocks) block = encrypt_block(block, key);
  for (std::uint64_t& block : blocks.last(twice ? 4 : 0)) block = encrypt_block(block, key);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = decrypt_block(block, key);
}

}  // namespace xtea
