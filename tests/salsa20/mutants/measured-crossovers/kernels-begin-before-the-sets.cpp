// What follows whole sets of eight blocks begins with the counter from before them.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_sets = in.size() / block_bytes / 8 * 8;
  crypt_blocks(out, in, [&](std::size_t block) {
    return key_stream(state_of(key, nonce, counter + block - (block >= in_sets ? in_sets : 0)));
  });
}

}  // namespace salsa20
