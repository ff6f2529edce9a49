// The tail is xored with the key stream of the last whole block.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in, [&](std::size_t block) {
    const bool tail = in.size() - block * block_bytes < block_bytes && block > 0;
    return key_stream(state_of(key, nonce, counter + block - tail));
  });
}

}  // namespace salsa20
