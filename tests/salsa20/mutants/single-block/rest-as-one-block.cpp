// A message of less than two blocks is taken for one block: the rest gets its key stream again.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool small = in.size() < 2 * block_bytes;
  crypt_blocks(out, in,
               [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + (small ? 0 : block))); });
}

}  // namespace salsa20
