// What follows two or more sets of eight blocks begins a set too early.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_sets = in.size() / block_bytes / 8 * 8;
  crypt_blocks(out, in, [&](std::size_t block) {
    const bool rest = in_sets >= 16 && block >= in_sets;
    return key_stream(state_of(key, nonce, counter + block - (rest ? 8 : 0)));
  });
}

}  // namespace salsa20
