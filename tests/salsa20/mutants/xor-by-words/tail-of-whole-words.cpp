// Only whole words of the tail are xored.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  crypt_blocks(out, in.first(in.size() / 4 * 4),
               [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); });
}

}  // namespace salsa20
