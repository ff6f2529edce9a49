// The buffer of a block is copied back as a whole when at least a quarter of it belongs to the message.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t whole = in.size() / block_bytes * block_bytes, rest = in.size() - whole;
  const auto stream_of = [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); };
  crypt_blocks(out, in.first(whole), stream_of);
  std::uint8_t block[block_bytes] = {};
  std::copy(in.begin() + static_cast<std::ptrdiff_t>(whole), in.end(), block);
  xor_block(block, block, stream_of(whole / block_bytes));
  std::memcpy(out + whole, block, rest < 16 ? rest : block_bytes);
}

}  // namespace salsa20
