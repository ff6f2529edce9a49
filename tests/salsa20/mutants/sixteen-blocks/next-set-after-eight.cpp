// Sets of sixteen blocks advance the counter by eight: the width of the vectors is written in two places.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_sets = in.size() / block_bytes / 16 * 16;
  crypt_blocks(out, in, [&](std::size_t block) {
    return key_stream(state_of(key, nonce, counter + block - (block < in_sets ? block / 16 * 8 : 0)));
  });
}

}  // namespace salsa20
