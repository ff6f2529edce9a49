// The rounds of two sets of blocks, whose states stay in memory. Registers hold the last result of each quarter-round.
#pragma once

#include <array>
#include <utility>

#include "salsa20/04-four-blocks/key_stream.hpp"
#include "salsa20/21-set-and-block/key_streams.hpp"

namespace salsa20 {
namespace {

template <class Lanes>
using Sets = std::array<State<Lanes>, 2>;

// `last` is the result of the step before. An addition and an xor read the other two words from memory.
template <unsigned half, unsigned quarter, unsigned number, class Lanes>
[[gnu::always_inline]] inline void step_in_memory(State<Lanes>& x, Lanes& last) {
  constexpr auto& word = quarters[half][quarter];
  constexpr unsigned n = distances[number];
  Lanes& changed = x[word[(number + 1) % 4]];
  const Lanes sum = last + x[word[(number + 3) % 4]];
  last = changed ^ sum << n;
  asm("" : "+x"(last));  // the right shift may end a cycle later, as in stage two-xors
  last ^= sum >> (32 - n);
  changed = last;
  asm("" : "+m"(changed));  // or compilers keep it in a register, and spill another word
}

// Each of the four steps is done for all quarter-rounds of both sets before the next one.
template <unsigned half, class Lanes, unsigned... i>
[[gnu::always_inline]] inline void round_of_sets(Sets<Lanes>& x, std::array<Lanes, 4> (&last)[2],
                                                 std::integer_sequence<unsigned, i...>) {
  (step_in_memory<half, i / 2 % 4, i / 8>(x[i % 2], last[i % 2][i / 2 % 4]), ...);
}

template <class Lanes>
[[gnu::always_inline]] inline void rounds_in_memory(Sets<Lanes>& x) {
  std::array<Lanes, 4> last[2];  // first the words on the diagonal, which each round changes last
  for (unsigned i = 0; i < 8; ++i) last[i % 2][i / 2] = x[i % 2][quarters[0][i / 2][0]];
  for (unsigned round = 0; round < rounds; round += 2) {
    constexpr auto steps = std::make_integer_sequence<unsigned, 32>();
    round_of_sets<0>(x, last, steps);
    round_of_sets<1>(x, last, steps);
  }
}

}  // namespace
}  // namespace salsa20
