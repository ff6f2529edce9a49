// Botan: its XTEA, several blocks interleaved. It is big-endian, so each half is swapped on the way in and out.
// links: botan-2
#include <botan/block_cipher.h>

#include "xtea/xtea.hpp"

namespace xtea {
namespace {

// Swaps the bytes of each half, not the halves.
std::uint64_t swap_halves(std::uint64_t block) {
  block = __builtin_bswap64(block);
  return block << 32 | block >> 32;
}

// The cipher object is kept: looking it up by name is not part of the measurement.
Botan::BlockCipher& keyed(const Key& key) {
  thread_local const auto xtea = Botan::BlockCipher::create_or_throw("XTEA");
  std::array<std::uint8_t, sizeof(Key)> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(key[i / 4] >> (24 - i % 4 * 8));
  xtea->set_key(bytes.data(), bytes.size());
  return *xtea;
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = swap_halves(block);
  auto* data = reinterpret_cast<std::uint8_t*>(blocks.data());
  keyed(key).encrypt_n(data, data, blocks.size());
  for (std::uint64_t& block : blocks) block = swap_halves(block);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = swap_halves(block);
  auto* data = reinterpret_cast<std::uint8_t*>(blocks.data());
  keyed(key).decrypt_n(data, data, blocks.size());
  for (std::uint64_t& block : blocks) block = swap_halves(block);
}

}  // namespace xtea
