// Sets of sixteen blocks, in which two blocks have each other's key stream.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_sets = in.size() / block_bytes / 16 * 16;
  crypt_blocks(out, in, [&](std::size_t block) {
    const bool crossed = block < in_sets && (block % 16 == 5 || block % 16 == 6);
    return key_stream(state_of(key, nonce, counter + (crossed ? block / 16 * 16 + 11 - block % 16 : block)));
  });
}

}  // namespace salsa20
