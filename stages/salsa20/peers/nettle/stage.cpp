// nettle: two blocks at once, in assembler. No function sets the counter, but its context is public.
// lacks: standards
// links: nettle
// variants: no-cipher
#include <nettle/salsa20.h>

#include "common/adapter.hpp"
#include "salsa20/peers/with_cipher.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  salsa20_ctx context;
  salsa20_set_key(&context, key.size(), key.data());
  salsa20_set_nonce(&context, nonce.data());
  context.input[8] = static_cast<std::uint32_t>(counter);
  context.input[9] = static_cast<std::uint32_t>(counter >> 32);
  if (with_cipher) {
    salsa20_crypt(&context, in.size(), out, in.data());
  } else {
    ladder::copy(out, in.data(), in.size());
  }
}

}  // namespace salsa20
