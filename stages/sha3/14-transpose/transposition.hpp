// From words to lanes: a vector of words of each message, transposed, is a vector of each lane.
#pragma once

#include <utility>

#include "sha3/11-lane-type/lanes.hpp"

namespace sha3 {

// Swaps the odd groups of `span` words in `a` with the even groups in `b`.
template <std::size_t span, class Lanes, std::size_t... i>
[[gnu::always_inline]] inline void swap_groups(Lanes& a, Lanes& b, std::index_sequence<i...>) {
  const Lanes even = __builtin_shufflevector(a, b, (i & span ? sizeof...(i) + i - span : i)...);
  b = __builtin_shufflevector(a, b, (i & span ? sizeof...(i) + i : i + span)...);
  a = even;
}

// Transposes a square matrix of words: groups of one word change places, then groups of two, then of four.
template <std::size_t span = 1, class Lanes>
[[gnu::always_inline]] inline void transpose(Lanes* rows) {
  constexpr std::size_t width = sizeof(Lanes) / 8;
  if constexpr (span < width) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < width; ++i) {
      if (!(i & span)) swap_groups<span>(rows[i], rows[i + span], std::make_index_sequence<width>());
    }
    transpose<2 * span>(rows);
  }
}

// Words that fill no square matrix are gathered one by one.
template <class Lanes>
void absorb(State<Lanes>& state, const std::uint8_t* const* in, std::size_t words) {
  constexpr std::size_t width = sizeof(Lanes) / 8;
  std::size_t i = 0;
  for (; i + width <= words; i += width) {
    Lanes rows[width];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < width; ++k) std::memcpy(&rows[k], in[k] + 8 * i, sizeof(Lanes));
    transpose(rows);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < width; ++k) state[i + k] ^= rows[k];
  }
  for (; i < words; ++i) {
    Lanes lane;
    for (std::size_t k = 0; k < width; ++k) lane[k] = load(in[k] + 8 * i);
    state[i] ^= lane;
  }
}

}  // namespace sha3
