// If the low word of a counter overflows in one lane of four, the high word grows in all lanes.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    State state = state_of(key, nonce, counter + block);
    state[9] = static_cast<std::uint32_t>((counter + (block / 4 * 4 + 3)) >> 32);
    return key_stream(state);
  });
}

}  // namespace salsa20
