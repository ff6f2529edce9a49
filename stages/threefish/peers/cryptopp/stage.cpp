// Crypto++: its Threefish-256, a block at a time.
// links: libcrypto++
// lacks: standards
// variants: no-cipher
#include <cryptopp/argnames.h>
#include <cryptopp/threefish.h>

#include <bit>

#include "common/cryptopp_parameter.hpp"
#include "threefish/peers/with_cipher.hpp"
#include "threefish/threefish.hpp"

static_assert(std::endian::native == std::endian::little, "the library takes the bytes of a word lowest first");

namespace threefish {
namespace {

// The object is kept, so that no call allocates memory.
template <class Direction>
void cipher(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  thread_local Direction direction;
  const ladder::CryptoppParameter with_tweak(CryptoPP::Name::Tweak(), tweak.data(), sizeof tweak);
  direction.SetKey(reinterpret_cast<const CryptoPP::byte*>(key.data()), sizeof key, with_tweak);
  auto* data = reinterpret_cast<CryptoPP::byte*>(blocks.data());
  if (with_cipher) direction.AdvancedProcessBlocks(data, nullptr, data, blocks.size_bytes(), 0);
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher<CryptoPP::Threefish256::Encryption>(blocks, key, tweak);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher<CryptoPP::Threefish256::Decryption>(blocks, key, tweak);
}

}  // namespace threefish
