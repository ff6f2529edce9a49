// Crypto++: its XTEA, a block at a time. The library is big-endian, so each half is swapped on the way in and out.
// links: libcrypto++
// variants: no-cipher
#include <cryptopp/tea.h>

#include "xtea/big_endian.hpp"

namespace xtea {
namespace {

template <class Direction>
void cipher(std::span<std::uint64_t> blocks, const Key& key) {
  const auto bytes = big_endian(key);
  const Direction direction(bytes.data(), bytes.size());
  as_big_endian(blocks, [&](std::uint8_t* data) {
    direction.AdvancedProcessBlocks(data, nullptr, data, blocks.size_bytes(), 0);
  });
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher<CryptoPP::XTEA::Encryption>(blocks, key); }

void decrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher<CryptoPP::XTEA::Decryption>(blocks, key); }

}  // namespace xtea
