// The second of two sets has the high word of the counters in the first.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_pairs = in.size() / block_bytes / 16 * 16;
  crypt_blocks(out, in, [&](std::size_t block) {
    State state = state_of(key, nonce, counter + block);
    if (block < in_pairs && block % 16 >= 8) state[9] = static_cast<std::uint32_t>((counter + block - 8) >> 32);
    return key_stream(state);
  });
}

}  // namespace salsa20
