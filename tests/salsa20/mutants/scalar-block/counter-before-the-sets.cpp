// A single block that follows whole sets of eight has the counter from before them.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t blocks = (in.size() + block_bytes - 1) / block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    const bool single = blocks % 8 == 1 && block + 1 == blocks;
    return key_stream(state_of(key, nonce, counter + (single ? 0 : block)));
  });
}

}  // namespace salsa20
