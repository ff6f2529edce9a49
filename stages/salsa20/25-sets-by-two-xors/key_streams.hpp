// The key streams of a set of blocks, alone or with a block beside it. Each step of the set has two xors.
#pragma once

#include <utility>

#include "salsa20/04-four-blocks/key_stream.hpp"
#include "salsa20/21-set-and-block/key_streams.hpp"
#include "salsa20/22-two-xors/few_blocks.hpp"

namespace salsa20 {
namespace {

template <unsigned half, unsigned quarter, unsigned number>
[[gnu::always_inline]] inline void step_of_set(auto& x) {
  constexpr auto& word = quarters[half][quarter];
  xor_rotated(x[word[(number + 1) % 4]], x[word[number]] + x[word[(number + 3) % 4]], distances[number]);
}

// Two quarter-rounds in turn, because there are registers for two.
template <unsigned half, class Lanes, unsigned... i>
[[gnu::always_inline]] inline void round_of_set(State<Lanes>& set, std::integer_sequence<unsigned, i...>) {
  (step_of_set<half, i / 8 * 2 + i % 2, i % 8 / 2>(set), ...);
}

// Each step of the set is followed by one of the block, which interleaves all four quarter-rounds.
template <unsigned half, class Lanes, unsigned... i>
[[gnu::always_inline]] inline void round_of_set_and_block(State<Lanes>& set, State<Word>& block,
                                                          std::integer_sequence<unsigned, i...>) {
  ((step_of_set<half, i / 8 * 2 + i % 2, i % 8 / 2>(set), step<half, i % 4, i / 4>(block)), ...);
}

template <class Lanes>
[[gnu::always_inline]] inline State<Lanes> key_stream_of_set(const State<Lanes>& start) {
  State<Lanes> set = start;
  for (unsigned round = 0; round < rounds; round += 2) {
    constexpr auto steps = std::make_integer_sequence<unsigned, 16>();
    round_of_set<0>(set, steps);
    round_of_set<1>(set, steps);
  }
  for (unsigned i = 0; i < words; ++i) set[i] += start[i];
  return set;
}

// Replaces the states by their key streams.
template <class Lanes>
[[gnu::always_inline]] inline void key_streams_of_set_and_block(State<Lanes>& set, State<Word>& block) {
  const State<Lanes> set_start = set;
  const State<Word> block_start = block;
  for (unsigned round = 0; round < rounds; round += 2) {
    constexpr auto steps = std::make_integer_sequence<unsigned, 16>();
    round_of_set_and_block<0>(set, block, steps);
    round_of_set_and_block<1>(set, block, steps);
  }
  for (unsigned i = 0; i < words; ++i) block[i] += block_start[i];
  for (unsigned i = 0; i < words; ++i) set[i] += set_start[i];
}

}  // namespace
}  // namespace salsa20
