// The kernel is chosen by the blocks of the whole message, so none takes a single block behind whole sets.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_sets = in.size() / block_bytes / 16 * 16;
  const bool one_behind = in_sets > 0 && in.size() - in_sets * block_bytes <= block_bytes;
  crypt_blocks(out, in, [&](std::size_t block) {
    return one_behind && block == in_sets ? State{} : key_stream(state_of(key, nonce, counter + block));
  });
}

}  // namespace salsa20
