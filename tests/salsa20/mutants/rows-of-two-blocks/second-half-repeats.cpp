// Both halves of the registers have the counter of the first block.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool pair = in.size() > block_bytes && in.size() <= 2 * block_bytes;
  crypt_blocks(out, in,
               [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + (pair ? 0 : block))); });
}

}  // namespace salsa20
