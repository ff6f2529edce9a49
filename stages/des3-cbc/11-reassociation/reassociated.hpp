// A lone buffer: the rounds as a short chain. A late look-up passes three xors, and round keys come before the
// look-ups.
#pragma once

#include <utility>

#include "des3-cbc/10-expanded-halves/expanded.hpp"

namespace des3_cbc {

// Keeps a compiler from joining the value with others in another order.
inline void keep(Expanded& value) { __asm__("" : "+r"(value)); }

// `half` after a round. `sixes` is the other half, xored with the round key.
[[gnu::always_inline]] inline Expanded changed(Expanded half, Expanded sixes) {
  Expanded pairs[4];  // of look-ups
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    Expanded two = sixes >> 16 * i;
    keep(two);  // both look-ups take it
    pairs[i] = expanded_boxes[2 * i][two & 0xFF] ^ expanded_boxes[2 * i + 1][two >> 8 & 0xFF];
  }
  pairs[0] ^= half;
  for (Expanded& pair : pairs) keep(pair);
  Expanded low = pairs[0] ^ pairs[1], high = pairs[2] ^ pairs[3];
  keep(low), keep(high);
  return low ^ high;
}

inline Block ciphered(Block block, const Schedule& schedule) {
  const Halves start = permuted(block);
  Expanded left = expanded(start.left), right = expanded(start.right);
  for (unsigned des = 0; des < rounds; des += 16) {
    const auto key = [&](unsigned round) { return round < des + 16 ? joined(schedule[round]) : 0; };
    right ^= key(des);
    left ^= key(des + 1);
#pragma GCC unroll 8
    for (unsigned round = des; round < des + 16; round += 2) {  // each half has the key of the round that reads it
      left = changed(left, right);
      right = changed(right ^ key(round) ^ key(round + 2), left);
      left ^= key(round + 1) ^ key(round + 3);
    }
    std::swap(left, right);
  }
  return unpermuted({contracted(left), contracted(right)});
}

}  // namespace des3_cbc
