// Four blocks in one register: the third and the fourth do not carry into the upper word of their counter.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_sets = in.size() / block_bytes / 16 * 16;
  crypt_blocks(out, in, [&](std::size_t block) {
    std::uint64_t number = counter + block;
    if (block >= in_sets && (block - in_sets) % 4 >= 2) {
      const std::uint64_t first = counter + in_sets + (block - in_sets) / 4 * 4;
      number = (first >> 32 << 32) | static_cast<std::uint32_t>(number);
    }
    return key_stream(state_of(key, nonce, number));
  });
}

}  // namespace salsa20
