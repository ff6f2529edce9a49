// The number of blocks since the first is added to the low word of the counter alone.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    State state = state_of(key, nonce, counter);
    state[8] += static_cast<std::uint32_t>(block);
    return key_stream(state);
  });
}

}  // namespace salsa20
