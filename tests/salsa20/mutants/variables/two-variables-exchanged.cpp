// The last quarter-round of a column has two of its variables exchanged.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    const State start = state_of(key, nonce, counter + block);
    State x = start;
    for (unsigned round = 0; round < rounds; round += 2) {
      for (unsigned i = 0; i < 3; ++i) quarter_round(x, {5 * i, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16});
      quarter_round(x, {15, 3, 11, 7});
      for (unsigned i = 0; i < 4; ++i) {
        quarter_round(x, {5 * i, 4 * i + (i + 1) % 4, 4 * i + (i + 2) % 4, 4 * i + (i + 3) % 4});
      }
    }
    for (unsigned i = 0; i < words; ++i) x[i] += start[i];
    return x;
  });
}

}  // namespace salsa20
