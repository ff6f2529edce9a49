// The 48 rounds for any number of lanes, each with a block and a key of its own.
#pragma once

#include <utility>

#include "des3-cbc/00-reference/des.hpp"

namespace des3_cbc {

template <std::size_t count>
using Blocks = std::array<Block, count>;  // one of each lane
template <std::size_t count>
using Schedules = std::array<const Schedule*, count>;

// Between one DES and the next, IP and its inverse cancel each other: only the halves change places.
// The lanes `i` are a parameter pack, because GCC unrolls loops too late to keep them in registers.
template <std::size_t... i>
[[gnu::always_inline]] inline void cipher(Blocks<sizeof...(i)>& blocks, const Schedules<sizeof...(i)>& schedules,
                                          std::index_sequence<i...>) {
  Halves lanes[] = {permuted(blocks[i])...};
  for (unsigned des = 0; des < rounds; des += 16) {
    for (unsigned round = des; round < des + 16; round += 2) {
      ((lanes[i].left ^= f(lanes[i].right, (*schedules[i])[round])), ...);
      ((lanes[i].right ^= f(lanes[i].left, (*schedules[i])[round + 1])), ...);
    }
    (std::swap(lanes[i].left, lanes[i].right), ...);
  }
  ((blocks[i] = unpermuted(lanes[i])), ...);
}

}  // namespace des3_cbc
