// The start state of a block is not added to its end: the key stream could be inverted.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    State x = state_of(key, nonce, counter + block);
    for (unsigned round = 0; round < rounds; round += 2) double_round(x);
    return x;
  });
}

}  // namespace salsa20
