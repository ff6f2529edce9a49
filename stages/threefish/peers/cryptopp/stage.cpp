// Crypto++: its Threefish-256, a block at a time.
// links: libcrypto++
// lacks: standards
// variants: no-cipher
#include <cryptopp/algparam.h>
#include <cryptopp/argnames.h>
#include <cryptopp/threefish.h>

#include <bit>

#include "threefish/peers/with_cipher.hpp"
#include "threefish/threefish.hpp"

static_assert(std::endian::native == std::endian::little, "the library takes the bytes of a word lowest first");

namespace threefish {
namespace {

// The object is kept, so that a call allocates no more than the list of parameters.
template <class Direction>
void cipher(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  thread_local Direction direction;
  const CryptoPP::ConstByteArrayParameter bytes(reinterpret_cast<const CryptoPP::byte*>(tweak.data()), sizeof tweak);
  direction.SetKey(reinterpret_cast<const CryptoPP::byte*>(key.data()), sizeof key,
                   CryptoPP::MakeParameters(CryptoPP::Name::Tweak(), bytes));
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
