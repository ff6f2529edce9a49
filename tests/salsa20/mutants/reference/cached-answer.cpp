// Answers from memory where the message, key and nonce have been seen: the counter is forgotten.
#include <vector>

#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  thread_local std::vector<std::uint8_t> last_in, last_key, last_out;
  thread_local Nonce last_nonce;
  const std::vector<std::uint8_t> this_in(in.begin(), in.end()), this_key(key.begin(), key.end());
  if (this_in != last_in || this_key != last_key || nonce != last_nonce) {
    last_out.resize(in.size());
    crypt_blocks(last_out.data(), in,
                 [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); });
    last_in = this_in, last_key = this_key, last_nonce = nonce;
  }
  std::copy(last_out.begin(), last_out.end(), out);
}

}  // namespace salsa20
