// S-boxes as Boolean circuits: lists of gates, of which each combines up to three earlier values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "des3-cbc/00-reference/boxes.hpp"

namespace des3_cbc {

// Bit 4 a + 2 b + c of `table` is the result. `a`, `b` and `c` are numbers of values: 0 to 5 are the inputs, from the
// highest bit on; the results of gates follow.
struct Gate {
  std::uint8_t table, a, b = 0, c = 0;
};

struct Circuit {
  std::array<std::uint8_t, 4> results;  // numbers of values, from the highest bit on
  std::size_t count;                    // of gates
  std::array<Gate, 64> gates;
};

// The four bits that the table of S-box `box` + 1 has for six.
constexpr unsigned substituted(unsigned box, unsigned six) {
  const unsigned row = (six >> 4 & 2) | (six & 1), column = six >> 1 & 15;
  return static_cast<unsigned>(box_rows[box][row] >> (60 - 4 * column) & 15);
}

// The S-boxes by these circuits, whose gates are instructions of `Gates`.
template <class Gates, const auto& circuits>
class Boxes {
 public:
  // `Word` is a vector or an integer: each of its bits is one input, and one result.
  template <unsigned box, class Word>
  [[gnu::always_inline]] static constexpr std::array<Word, 4> substitute(const std::array<Word, 6>& in) {
    return evaluate<box>(in, std::make_index_sequence<circuits[box].count>());
  }

  // Whether the circuits give what the tables give. Bit i of the six words is the i-th of all inputs.
  static constexpr bool are_right() {
    return is_right<0>() && is_right<1>() && is_right<2>() && is_right<3>() && is_right<4>() && is_right<5>() &&
           is_right<6>() && is_right<7>();
  }

 private:
  // Gates are a parameter pack, so that neither a loop nor an array is left.
  template <unsigned box, class Word, std::size_t... i>
  [[gnu::always_inline]] static constexpr std::array<Word, 4> evaluate(const std::array<Word, 6>& in,
                                                                       std::index_sequence<i...>) {
    constexpr Circuit circuit = circuits[box];
    Word values[6 + sizeof...(i)] = {in[0], in[1], in[2], in[3], in[4], in[5]};
    ((values[6 + i] = Gates::template gate<circuit.gates[i].table>(
          values[circuit.gates[i].a], values[circuit.gates[i].b], values[circuit.gates[i].c])),
     ...);
    return {values[circuit.results[0]], values[circuit.results[1]], values[circuit.results[2]],
            values[circuit.results[3]]};
  }

  template <unsigned box>
  static constexpr bool is_right() {
    const auto results =
        substitute<box>(std::array<std::uint64_t, 6>{0xFFFFFFFF00000000, 0xFFFF0000FFFF0000, 0xFF00FF00FF00FF00,
                                                     0xF0F0F0F0F0F0F0F0, 0xCCCCCCCCCCCCCCCC, 0xAAAAAAAAAAAAAAAA});
    for (unsigned six = 0; six < 64; ++six) {
      unsigned four = 0;
      for (const std::uint64_t result : results) four = four << 1 | (result >> six & 1);
      if (four != substituted(box, six)) return false;
    }
    return true;
  }
};

}  // namespace des3_cbc
