// Where three to eight blocks are rows, all pairs but the first have the high word of the first counter.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool few = in.size() > 2 * block_bytes && in.size() < 8 * block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    State state = state_of(key, nonce, counter + block);
    if (few && block >= 2) state[9] = static_cast<std::uint32_t>(counter >> 32);
    return key_stream(state);
  });
}

}  // namespace salsa20
