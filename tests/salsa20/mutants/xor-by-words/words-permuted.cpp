// The words of the matrix are written column by column.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    const State x = key_stream(state_of(key, nonce, counter + block));
    State turned;
    for (unsigned i = 0; i < words; ++i) turned[i] = x[i % 4 * 4 + i / 4];
    return turned;
  });
}

}  // namespace salsa20
