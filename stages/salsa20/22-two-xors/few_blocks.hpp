// Blocks as rows. A row is xored with both shifts of a sum in turn, so one shift may end a cycle later.
#pragma once

#include <array>
#include <span>

#include "salsa20/21-set-and-block/rows.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

// Xors `changed` with the rotated sum. GCC joins both shifts if it sees the left shift, Clang if it sees the first xor.
template <class Row>
[[gnu::always_inline]] inline void xor_rotated(Row& changed, const Row& sum, unsigned n) {
  Row high = sum << n;
#ifndef __clang__
  asm("" : "+x"(high));
#endif
  changed ^= high;
#ifdef __clang__
  asm("" : "+x"(changed));
#endif
  changed ^= sum >> (32 - n);
}

template <class Row>
[[gnu::always_inline]] inline void quarter_round_of_rows(Row& a, Row& b, Row& c, Row& d) {
  xor_rotated(b, a + d, 7);
  xor_rotated(c, b + a, 9);
  xor_rotated(d, c + b, 13);
  xor_rotated(a, d + c, 18);
}

// While the core waits for a result of one pair, it works on another.
template <std::size_t pairs>
[[gnu::always_inline]] inline auto rows_by_two_xors(const State<Word>& state) {
  std::array<Rows, pairs> first;
  for (unsigned k = 0; k < pairs; ++k) first[k] = two_starts(state, 2 * k);
  auto x = first;
  for (unsigned round = 0; round < rounds; round += 2) {
#pragma GCC unroll 4
    for (auto& [a, b, c, d] : x) {
      quarter_round_of_rows(a, b, c, d);
      b = __builtin_shufflevector(b, b, 3, 0, 1, 2, 7, 4, 5, 6);
      c = __builtin_shufflevector(c, c, 2, 3, 0, 1, 6, 7, 4, 5);
      d = __builtin_shufflevector(d, d, 1, 2, 3, 0, 5, 6, 7, 4);
    }
#pragma GCC unroll 4
    for (auto& [a, b, c, d] : x) {
      quarter_round_of_rows(a, d, c, b);  // now the lanes hold the rows of the matrix
      b = __builtin_shufflevector(b, b, 1, 2, 3, 0, 5, 6, 7, 4);
      c = __builtin_shufflevector(c, c, 2, 3, 0, 1, 6, 7, 4, 5);
      d = __builtin_shufflevector(d, d, 3, 0, 1, 2, 7, 4, 5, 6);
    }
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    const auto& [a, b, c, d] = x[k];
    x[k] = to_matrix({a + first[k][0], b + first[k][1], c + first[k][2], d + first[k][3]});
  }
  return x;
}

// At most twice as many blocks as pairs.
template <std::size_t pairs>
void xor_by_rows(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  xor_rows(out, in, rows_by_two_xors<pairs>(start.state()));
}

}  // namespace
}  // namespace salsa20
