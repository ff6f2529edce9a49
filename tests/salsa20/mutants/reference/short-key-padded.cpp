// A short key is filled up with zeros, not with itself.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  std::array<std::uint8_t, 32> whole{};
  std::copy(key.begin(), key.end(), whole.begin());
  crypt_blocks(out, in, [&](std::size_t block) {
    State state = state_of(key, nonce, counter + block);
    std::memcpy(&state[11], whole.data() + 16, 16);
    return key_stream(state);
  });
}

}  // namespace salsa20
