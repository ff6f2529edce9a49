// Botan: its XTEA, several blocks interleaved. It is big-endian, so each half is swapped on the way in and out.
// links: botan-2
// variants: no-cipher
#include <botan/block_cipher.h>

#include "xtea/big_endian.hpp"

namespace xtea {
namespace {

// The cipher object is kept: looking it up by name is not part of the measurement.
Botan::BlockCipher& keyed(const Key& key) {
  thread_local const auto xtea = Botan::BlockCipher::create_or_throw("XTEA");
  const auto bytes = big_endian(key);
  xtea->set_key(bytes.data(), bytes.size());
  return *xtea;
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const Botan::BlockCipher& xtea = keyed(key);
  as_big_endian(blocks, [&](std::uint8_t* data) { xtea.encrypt_n(data, data, blocks.size()); });
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const Botan::BlockCipher& xtea = keyed(key);
  as_big_endian(blocks, [&](std::uint8_t* data) { xtea.decrypt_n(data, data, blocks.size()); });
}

}  // namespace xtea
