// The block beside a set has two rounds less than the set.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t blocks = (in.size() + block_bytes - 1) / block_bytes, sets = in.size() / block_bytes / 8;
  const std::size_t rest = blocks - sets * 8, with_block = rest <= std::min<std::size_t>(sets, 2) ? rest : 0;
  const std::size_t begin = blocks - with_block * 9;
  crypt_blocks(out, in, [&](std::size_t block) {
    const bool is_beside = block >= begin && (block - begin) % 9 == 8;
    return key_stream(state_of(key, nonce, counter + block), is_beside ? rounds - 2 : rounds);
  });
}

}  // namespace salsa20
