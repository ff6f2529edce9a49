// What follows whole sets of eight blocks: all lanes get the high word of the counter of the first.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_sets = in.size() / block_bytes / 8 * 8;
  crypt_blocks(out, in, [&](std::size_t block) {
    State state = state_of(key, nonce, counter + block);
    if (in_sets > 0 && block > in_sets) state[9] = static_cast<std::uint32_t>((counter + in_sets) >> 32);
    return key_stream(state);
  });
}

}  // namespace salsa20
