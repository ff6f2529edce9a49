// In a message of at most a block, one column of the diagonals is rotated the other way.
#include <utility>

#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool one = in.size() <= block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    State stream = key_stream(state_of(key, nonce, counter + block));
    if (one) {
      std::swap(stream[1], stream[9]);
      std::swap(stream[5], stream[13]);
    }
    return stream;
  });
}

}  // namespace salsa20
