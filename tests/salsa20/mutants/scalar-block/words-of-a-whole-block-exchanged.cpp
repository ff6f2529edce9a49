// A message of exactly one block is xored with two words of the key stream exchanged.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool whole = in.size() == block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    State stream = key_stream(state_of(key, nonce, counter + block));
    if (whole) std::swap(stream[3], stream[12]);
    return stream;
  });
}

}  // namespace salsa20
