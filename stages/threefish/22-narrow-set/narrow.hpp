// A set in vectors of four lanes, at a level that has eight, and single blocks beside it.
#pragma once

#include <bit>
#include <cstring>
#include <utility>

#include "threefish/12-small-messages/rounds.hpp"
#include "threefish/14-vector-schedule/schedule.hpp"

namespace threefish {
namespace {

using NarrowSet = std::array<Four, 4>;  // in each vector a block, or the same word of four blocks

[[gnu::always_inline]] inline NarrowSet transposed(Four a, Four b, Four c, Four d) {
  const Four even_ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four even_cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), odd_cd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {__builtin_shufflevector(even_ab, even_cd, 0, 1, 4, 5), __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 4, 5),
          __builtin_shufflevector(even_ab, even_cd, 2, 3, 6, 7), __builtin_shufflevector(odd_ab, odd_cd, 2, 3, 6, 7)};
}

template <std::size_t singles>
struct Narrow {
  NarrowSet set;
  std::array<Block, singles> scalars;
};

template <std::size_t singles>
[[gnu::always_inline]] inline void each(Narrow<singles>& narrow, auto change) {
  change(narrow.set);
  each(narrow.scalars, change);
}

// The single blocks are the last ones. Rows are stored as bytes and single blocks word by word: otherwise GCC splits
// the rows into words, and moves the single blocks through vectors.
template <std::size_t... i, std::size_t... k>
[[gnu::noinline, gnu::flatten]] void cipher_narrow(Block* blocks, const auto& ciphered, std::index_sequence<i...>,
                                                   std::index_sequence<k...>) {
  Block* const others = blocks + sizeof...(i);
  Narrow<sizeof...(k)> narrow{transposed(std::bit_cast<Four>(blocks[i])...),
                              {Block{others[k][0], others[k][1], others[k][2], others[k][3]}...}};
  ciphered(narrow);
  const auto& [set, single] = narrow;
  const NarrowSet rows = transposed(set[i]...);
  (std::memcpy(blocks + i, &rows[i], sizeof(Block)), ...);
  ((others[k] = {single[k][0], single[k][1], single[k][2], single[k][3]}), ...);
}

}  // namespace
}  // namespace threefish
