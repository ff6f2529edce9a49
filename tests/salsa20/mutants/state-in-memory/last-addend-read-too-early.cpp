// In pairs of sets, the last step of all reads its addend from memory before the step before last has stored it.
#include "../blocks.hpp"

namespace salsa20 {
namespace {

// The last step of the last row changes word 15 by words 13 and 14. Word 13 is read as it was before this round.
State stale_key_stream(const State& start) {
  State x = start;
  for (unsigned round = 0; round < rounds - 2; round += 2) double_round(x);
  for (unsigned i = 0; i < 4; ++i) quarter_round(x, {5 * i, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16});
  const std::uint32_t stale = x[13];
  for (unsigned i = 0; i < 4; ++i) {
    quarter_round(x, {4 * i + i, 4 * i + (i + 1) % 4, 4 * i + (i + 2) % 4, 4 * i + (i + 3) % 4});
  }
  x[15] ^= std::rotl(x[14] + x[13], 18) ^ std::rotl(x[14] + stale, 18);
  for (unsigned i = 0; i < words; ++i) x[i] += start[i];
  return x;
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t in_pairs = in.size() / block_bytes / 16 * 16;
  crypt_blocks(out, in, [&](std::size_t block) {
    const State start = state_of(key, nonce, counter + block);
    return block < in_pairs ? stale_key_stream(start) : key_stream(start);
  });
}

}  // namespace salsa20
