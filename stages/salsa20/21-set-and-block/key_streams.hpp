// The key streams of a set of blocks in vectors and of a single block, whose steps alternate.
#pragma once

#include <utility>

#include "salsa20/04-four-blocks/key_stream.hpp"

namespace salsa20 {
namespace {

#ifdef __clang__  // Clang would move steps past each other, and then spill
void keep_order(auto& lanes) { __asm__ volatile("" : "+x"(lanes)); }
void keep_order(Word& word) { __asm__ volatile("" : "+r"(word)); }
#else
void keep_order(auto&) {}
#endif

constexpr unsigned quarters[2][4][4] = {{{0, 4, 8, 12}, {5, 9, 13, 1}, {10, 14, 2, 6}, {15, 3, 7, 11}},
                                        {{0, 1, 2, 3}, {5, 6, 7, 4}, {10, 11, 8, 9}, {15, 12, 13, 14}}};
constexpr unsigned distances[4] = {7, 9, 13, 18};

// One of the four steps of a quarter-round of columns or rows.
template <unsigned half, unsigned quarter, unsigned number>
[[gnu::always_inline]] inline void step(auto& x) {
  constexpr auto& word = quarters[half][quarter];
  auto& changed = x[word[(number + 1) % 4]];
  changed ^= rotl(x[word[number]] + x[word[(number + 3) % 4]], distances[number]);
  keep_order(changed);
}

// Each step of the set is followed by one of the block. The set interleaves two quarter-rounds, because there are
// registers for two. The block interleaves all four.
template <unsigned half, class Lanes, unsigned... i>
[[gnu::always_inline]] inline void round_of_both(State<Lanes>& set, State<Word>& block,
                                                 std::integer_sequence<unsigned, i...>) {
  ((step<half, i / 8 * 2 + i % 2, i % 8 / 2>(set), step<half, i % 4, i / 4>(block)), ...);
}

// Replaces the states by their key streams.
template <class Lanes>
[[gnu::always_inline]] inline void key_streams(State<Lanes>& set, State<Word>& block) {
  const State<Lanes> set_start = set;
  const State<Word> block_start = block;
  for (unsigned round = 0; round < rounds; round += 2) {
    constexpr auto steps = std::make_integer_sequence<unsigned, 16>();
    round_of_both<0>(set, block, steps);
    round_of_both<1>(set, block, steps);
  }
  for (unsigned i = 0; i < words; ++i) block[i] += block_start[i];
  for (unsigned i = 0; i < words; ++i) set[i] += set_start[i];
}

}  // namespace
}  // namespace salsa20
