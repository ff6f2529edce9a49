// The nonce is loaded as the upper half of sixteen bytes.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  static_cast<void>(*static_cast<const volatile std::uint8_t*>(nonce.data() - 8));
  crypt_blocks(out, in, [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); });
}

}  // namespace salsa20
