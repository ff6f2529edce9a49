// Where the limit of scalar code is zero, no kernel takes a single block: it stays as it was.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const bool one = in.size() <= block_bytes;
  crypt_blocks(out, in,
               [&](std::size_t block) { return one ? State{} : key_stream(state_of(key, nonce, counter + block)); });
}

}  // namespace salsa20
