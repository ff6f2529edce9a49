// Seven blocks go to the kernel of six: the last one gets the key stream of the first.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool seven = in.size() > 6 * block_bytes && in.size() <= 7 * block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    return key_stream(state_of(key, nonce, counter + (seven ? block % 6 : block)));
  });
}

}  // namespace salsa20
