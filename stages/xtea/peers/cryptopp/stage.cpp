// Crypto++: its XTEA, a block at a time. The library is big-endian, so each half is swapped on the way in and out.
// links: libcrypto++
#include <cryptopp/tea.h>

#include "xtea/xtea.hpp"

namespace xtea {
namespace {

// Swaps the bytes of each half, not the halves.
std::uint64_t swap_halves(std::uint64_t block) {
  block = __builtin_bswap64(block);
  return block << 32 | block >> 32;
}

template <class Direction>
void cipher(std::span<std::uint64_t> blocks, const Key& key) {
  std::array<CryptoPP::byte, sizeof(Key)> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<CryptoPP::byte>(key[i / 4] >> (24 - i % 4 * 8));
  const Direction direction(bytes.data(), bytes.size());
  for (std::uint64_t& block : blocks) block = swap_halves(block);
  auto* data = reinterpret_cast<CryptoPP::byte*>(blocks.data());
  direction.AdvancedProcessBlocks(data, nullptr, data, blocks.size_bytes(), 0);
  for (std::uint64_t& block : blocks) block = swap_halves(block);
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher<CryptoPP::XTEA::Encryption>(blocks, key); }

void decrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher<CryptoPP::XTEA::Decryption>(blocks, key); }

}  // namespace xtea
