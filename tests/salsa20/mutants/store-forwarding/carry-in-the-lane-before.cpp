// The carry of a lane is added to the lane before it, as if the comparison of the lanes were shifted by one.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    State state = state_of(key, nonce, counter + block);
    const bool last = block % 4 == 3;
    state[9] = static_cast<std::uint32_t>((counter + block + !last) >> 32);
    return key_stream(state);
  });
}

}  // namespace salsa20
