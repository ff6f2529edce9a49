// Two blocks go to the kernel of one, which begins its key stream again for the second.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool two = in.size() > block_bytes && in.size() <= 2 * block_bytes;
  crypt_blocks(out, in,
               [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + (two ? 0 : block))); });
}

}  // namespace salsa20
