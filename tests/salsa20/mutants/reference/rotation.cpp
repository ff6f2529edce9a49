// The last rotation of a quarter-round is off by one.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    const State start = state_of(key, nonce, counter + block);
    State x = start;
    for (unsigned round = 0; round < rounds; round += 2) double_round(x, 17);
    for (unsigned i = 0; i < words; ++i) x[i] += start[i];
    return x;
  });
}

}  // namespace salsa20
