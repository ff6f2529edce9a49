// A message of less than a block uses the first half of a key of 32 bytes twice.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool tail = in.size() < block_bytes && key.size() == 32;
  crypt_blocks(out, in, [&](std::size_t block) {
    State state = state_of(key, nonce, counter + block);
    if (tail) std::copy_n(state.begin() + 1, 4, state.begin() + 11);
    return key_stream(state);
  });
}

}  // namespace salsa20
