// Botan: one block after the other in general registers. Its stream position is a number of bytes, with 64 bits.
// lacks: far-counter standards
// links: botan-2
// variants: no-cipher
#include <botan/stream_cipher.h>

#include "common/adapter.hpp"
#include "salsa20/peers/with_cipher.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  // The cipher object is kept: looking it up by name is not part of the measurement.
  thread_local const auto cipher = Botan::StreamCipher::create_or_throw("Salsa20");
  cipher->set_key(key.data(), key.size());
  cipher->set_iv(nonce.data(), nonce.size());
  if (counter > 0) cipher->seek(block_bytes * counter);
  if (with_cipher) {
    cipher->cipher(in.data(), out, in.size());
  } else {
    ladder::copy(out, in.data(), in.size());
  }
}

}  // namespace salsa20
