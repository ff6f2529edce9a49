// Crypto++: four blocks at once with SSE2, in assembler. Its stream position is a number of bytes, with 64 bits.
// lacks: far-counter standards
// links: libcrypto++
// variants: no-cipher
#include <cryptopp/argnames.h>
#include <cryptopp/salsa.h>

#include "common/adapter.hpp"
#include "common/cryptopp_parameter.hpp"
#include "salsa20/peers/with_cipher.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  thread_local CryptoPP::Salsa20::Encryption cipher;  // kept, so that no call allocates memory
  cipher.SetKey(key.data(), key.size(), ladder::CryptoppParameter(CryptoPP::Name::IV(), nonce.data(), nonce.size()));
  if (counter > 0) cipher.Seek(block_bytes * counter);
  if (with_cipher) {
    cipher.ProcessData(out, in.data(), in.size());
  } else {
    ladder::copy(out, in.data(), in.size());
  }
}

}  // namespace salsa20
