// Where two to eight blocks are rows, the last rotation of word 0 is a left shift.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool few = in.size() > block_bytes && in.size() < 8 * block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    const State start = state_of(key, nonce, counter + block);
    State stream = key_stream(start);
    if (!few) return stream;
    std::uint32_t& changed = stream[0];  // a ^= rotl(d + c, 18)
    const std::uint32_t sum = stream[3] - start[3] + stream[2] - start[2];
    changed = ((changed - start[0]) ^ sum >> 14) + start[0];
    return stream;
  });
}

}  // namespace salsa20
