// Rounds of several buffers on expanded halves, for lanes.hpp.
#pragma once

#include "des3-cbc/01-lane-count/cipher.hpp"
#include "des3-cbc/11-reassociation/reassociated.hpp"

namespace des3_cbc {

// The lanes hide the latency, so the order of the xors is the compiler's. Words of 32 bits make bytes cheap to extract.
[[gnu::always_inline]] inline Expanded f(Expanded half, RoundKey key) {
  const std::uint32_t odd = static_cast<std::uint32_t>(half) ^ key.odd;
  const std::uint32_t even = static_cast<std::uint32_t>(half >> 32) ^ key.even;
  Expanded result = 0;
#pragma GCC unroll 4
  for (unsigned byte = 0; byte < 4; ++byte) {
    result ^= expanded_boxes[byte][odd >> 8 * byte & 0xFF] ^ expanded_boxes[4 + byte][even >> 8 * byte & 0xFF];
  }
  return result;
}

struct ExpandedHalves {
  template <std::size_t... i>
  [[gnu::always_inline]] static void cipher(Blocks<sizeof...(i)>& blocks, const Schedules<sizeof...(i)>& schedules,
                                            std::index_sequence<i...>) {
    const Halves starts[] = {permuted(blocks[i])...};
    Expanded left[] = {expanded(starts[i].left)...}, right[] = {expanded(starts[i].right)...};
    for (unsigned des = 0; des < rounds; des += 16) {
      for (unsigned round = des; round < des + 16; round += 2) {
        ((left[i] ^= f(right[i], (*schedules[i])[round])), ...);
        ((right[i] ^= f(left[i], (*schedules[i])[round + 1])), ...);
      }
      (std::swap(left[i], right[i]), ...);
    }
    ((blocks[i] = unpermuted({contracted(left[i]), contracted(right[i])})), ...);
  }

  // A lone buffer has no other that hides its latency, so it takes the short chain.
  static void cipher(Blocks<1>& blocks, const Schedules<1>& schedules, std::index_sequence<0>) {
    blocks[0] = ciphered(blocks[0], *schedules[0]);
  }
};

// In trials on Zen 5, bit planes became faster at 36 to 42 buffers.
constexpr std::size_t fewest_in_planes = 36;

}  // namespace des3_cbc
