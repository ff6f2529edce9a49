// A message of one block or less has a counter of 32 bits.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  if (in.size() <= block_bytes) counter = static_cast<std::uint32_t>(counter);
  crypt_blocks(out, in, [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); });
}

}  // namespace salsa20
