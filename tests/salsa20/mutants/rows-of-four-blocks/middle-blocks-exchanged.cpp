// Rows of four blocks are stored in the order of pairs: the second and the third block swap places.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t blocks = (in.size() + block_bytes - 1) / block_bytes;
  const bool one_register = blocks == 3 || blocks == 4;
  crypt_blocks(out, in, [&](std::size_t block) {
    const std::size_t taken = one_register && (block == 1 || block == 2) ? 3 - block : block;
    return key_stream(state_of(key, nonce, counter + taken));
  });
}

}  // namespace salsa20
