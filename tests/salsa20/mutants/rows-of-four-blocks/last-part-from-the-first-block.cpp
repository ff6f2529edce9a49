// In messages of 129 to 767 bytes, the last part of a block gets the key stream of the first block.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t blocks = in.size() / block_bytes;
  const bool with_rest = blocks >= 2 && blocks < 12 && in.size() % block_bytes > 0;
  crypt_blocks(out, in, [&](std::size_t block) {
    return key_stream(state_of(key, nonce, counter + (with_rest && block == blocks ? 0 : block)));
  });
}

}  // namespace salsa20
