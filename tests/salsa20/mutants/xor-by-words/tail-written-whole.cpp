// The last block is written whole, also past the end.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); });
  if (in.size() % block_bytes != 0) out[in.size()] = 0;
}

}  // namespace salsa20
