// libsodium: eight blocks at once with AVX2, if the CPU has it. It supports only keys of 256 bits.
// lacks: short-key standards
// links: libsodium
#include <sodium.h>

#include "salsa20/salsa20.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  static const bool ready = sodium_init() >= 0;  // chooses the code for this CPU
  if (ready) crypto_stream_salsa20_xor_ic(out, in.data(), in.size(), nonce.data(), counter, key.data());
}

}  // namespace salsa20
