// Two sets of four blocks at once, both with the counters of the first.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_pairs = in.size() / block_bytes / 8 * 8;
  crypt_blocks(out, in, [&](std::size_t block) {
    return key_stream(state_of(key, nonce, counter + (block < in_pairs ? block / 8 * 8 + block % 4 : block)));
  });
}

}  // namespace salsa20
