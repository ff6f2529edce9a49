// From lanes to words: the transposition of as many lanes as a vector has places gives words of each digest.
#pragma once

#include <algorithm>

#include "sha3/14-transpose/transposition.hpp"

namespace sha3 {

// Writes the first lanes of every message, as many as its digest has.
template <std::size_t rate, class Lanes>
void squeeze(State<Lanes>& state, const Message* messages) {
  constexpr std::size_t width = sizeof(Lanes) / 8, words = (state_bytes - rate) / 16;
  for (std::size_t i = 0; i < words; i += width) {
    transpose(&state[i]);
    for (std::size_t k = 0; k < width; ++k) {
      std::memcpy(messages[k].digest + 8 * i, &state[i + k], std::min(8 * words, sizeof(Lanes)));
    }
  }
}

}  // namespace sha3
