// A message of less than a block is written by whole words.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  if (in.size() >= block_bytes) {
    return crypt_blocks(out, in, [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); });
  }
  const State stream = key_stream(state_of(key, nonce, counter));
  for (std::size_t i = 0; 4 * i < in.size(); ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, in.data() + 4 * i, std::min<std::size_t>(4, in.size() - 4 * i));
    word ^= stream[i];
    std::memcpy(out + 4 * i, &word, 4);
  }
}

}  // namespace salsa20
