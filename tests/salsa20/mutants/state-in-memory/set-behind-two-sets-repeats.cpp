// A single set behind pairs of sets has the counters of the last one of these.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_pairs = in.size() / block_bytes / 16 * 16, in_sets = in.size() / block_bytes / 8 * 8;
  crypt_blocks(out, in, [&](std::size_t block) {
    const bool is_behind = in_pairs != 0 && block >= in_pairs && block < in_sets;
    return key_stream(state_of(key, nonce, counter + (is_behind ? block - 8 : block)));
  });
}

}  // namespace salsa20
