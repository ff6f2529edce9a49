// The number of the blocks before a rest has 16 bits.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_sets = in.size() / block_bytes / 16 * 16;
  crypt_blocks(out, in, [&](std::size_t block) {
    const std::size_t before = block < in_sets ? in_sets : static_cast<std::uint16_t>(in_sets);
    return key_stream(state_of(key, nonce, counter + before + (block - in_sets)));
  });
}

}  // namespace salsa20
