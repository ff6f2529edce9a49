// A message of two blocks gets the last two rows of each block from the other block.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool pair = in.size() > block_bytes && in.size() <= 2 * block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    State stream = key_stream(state_of(key, nonce, counter + block));
    if (!pair) return stream;
    const State other = key_stream(state_of(key, nonce, counter + 1 - block));
    std::copy(other.begin() + 8, other.end(), stream.begin() + 8);
    return stream;
  });
}

}  // namespace salsa20
