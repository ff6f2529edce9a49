// From the second set of four blocks on, the last lane has the counter of the set before.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    const bool stale = block % 4 == 3 && block > 4 && block / 4 * 4 + 4 <= in.size() / block_bytes;
    return key_stream(state_of(key, nonce, counter + block - (stale ? 4 : 0)));
  });
}

}  // namespace salsa20
