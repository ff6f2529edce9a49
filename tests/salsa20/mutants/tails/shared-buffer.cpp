// All threads share the buffer for the key stream of the tail.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  static std::uint8_t last[block_bytes];
  const std::size_t whole = in.size() / block_bytes * block_bytes;
  const auto stream_of = [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); };
  crypt_blocks(out, in.first(whole), stream_of);
  std::memcpy(last, stream_of(whole / block_bytes).data(), block_bytes);
  for (std::size_t i = whole; i < in.size(); ++i) out[i] = in[i] ^ last[i - whole];
}

}  // namespace salsa20
