// Blocks as rows: in each group of four lanes a row of one block, or its diagonal.
#pragma once

#include "salsa20/07-transpose/transpose.hpp"

namespace salsa20 {
namespace {

using Four [[gnu::vector_size(16)]] = Word;
using Eight [[gnu::vector_size(32)]] = Word;
using Sixteen [[gnu::vector_size(64)]] = Word;

template <class Vector>
using Rows = std::array<Vector, 4>;  // in each quarter or half the rows of one block, or its diagonals
template <class Vector>
constexpr std::size_t blocks_of = lanes_of<Vector> / 4;

// Each lane of a row gets the word of the lane `from` in the same block.
template <unsigned... from, class Vector, std::size_t... i>
[[gnu::always_inline]] inline Vector shuffled(const Vector& row, std::index_sequence<i...>) {
  constexpr unsigned lanes[] = {from...};
  return __builtin_shufflevector(row, row, (i / 4 * 4 + lanes[i % 4])...);
}
template <unsigned... from, class Vector>
[[gnu::always_inline]] inline Vector shuffled(const Vector& row) {
  return shuffled<from...>(row, std::make_index_sequence<lanes_of<Vector>>());
}

// Lanes whose bit is set get the word of the row that is `by` rows further on.
template <unsigned bits, class Vector, std::size_t... i>
[[gnu::always_inline]] inline Rows<Vector> mixed(const Rows<Vector>& m, unsigned by, std::index_sequence<i...>) {
  Rows<Vector> result;
  for (unsigned row = 0; row < 4; ++row) {
    result[row] = __builtin_shufflevector(m[row], m[(row + by) % 4], (bits >> i % 4 & 1 ? sizeof...(i) + i : i)...);
  }
  return result;
}

// The diagonals of the matrix, gathered word by word: a load of one word gets its value from a store of one word.
std::array<Four, 4> diagonals(const State<Word>& m) {
  return {Four{m[0], m[5], m[10], m[15]}, Four{m[4], m[9], m[14], m[3]}, Four{m[8], m[13], m[2], m[7]},
          Four{m[12], m[1], m[6], m[11]}};
}

Eight twice(const Four& v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3); }
Sixteen twice(const Eight& v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7); }

// Doubled in steps: GCC goes from 16 to 64 bytes through memory, where the wide load waits for the narrow store.
template <class Vector, class Part>
[[gnu::always_inline]] inline Vector filled(const Part& part) {
  if constexpr (sizeof(Part) == sizeof(Vector)) {
    return part;
  } else {
    return filled<Vector>(twice(part));
  }
}

// The diagonals of as many blocks as fit. The first is `block` blocks further on than `state`.
template <class Vector>
[[gnu::always_inline]] inline Rows<Vector> starts(const State<Word>& state, Word block) {
  const auto one = diagonals(state);
  Rows<Vector> result;
  for (unsigned i = 0; i < 4; ++i) result[i] = filled<Vector>(one[i]);
  Vector blocks{};
  for (unsigned k = 0; k < blocks_of<Vector>; ++k) blocks[4 * k] = block + k;
  result[2] += blocks;
  result[1] -= shuffled<1, 0, 3, 2>(Vector(result[2] < blocks));  // true is -1: the carry
  return result;
}

// Rotates column i of the diagonals down by i places, so that they become the rows of the matrix.
template <class Vector>
[[gnu::always_inline]] inline Rows<Vector> to_matrix(const Rows<Vector>& m) {
  constexpr auto lanes = std::make_index_sequence<lanes_of<Vector>>();
  return mixed<0b1010>(mixed<0b1100>(m, 2, lanes), 3, lanes);
}

// Blocks as rows, two or four in each element. While the core waits for a result of one element, it works on another.
template <class Vector, std::size_t elements>
[[gnu::always_inline]] inline auto rows_of_blocks(const State<Word>& state) {
  std::array<Rows<Vector>, elements> first;
  for (unsigned k = 0; k < elements; ++k) first[k] = starts<Vector>(state, blocks_of<Vector> * k);
  auto x = first;
  for (unsigned round = 0; round < rounds; round += 2) {
#pragma GCC unroll 4
    for (auto& [a, b, c, d] : x) {
      quarter_round(a, b, c, d);
      b = shuffled<3, 0, 1, 2>(b);
      c = shuffled<2, 3, 0, 1>(c);
      d = shuffled<1, 2, 3, 0>(d);
    }
#pragma GCC unroll 4
    for (auto& [a, b, c, d] : x) {
      quarter_round(a, d, c, b);  // now the lanes hold the rows of the matrix
      b = shuffled<1, 2, 3, 0>(b);
      c = shuffled<2, 3, 0, 1>(c);
      d = shuffled<3, 0, 1, 2>(d);
    }
  }
  for (std::size_t k = 0; k < elements; ++k) {
    const auto& [a, b, c, d] = x[k];
    x[k] = to_matrix<Vector>({a + first[k][0], b + first[k][1], c + first[k][2], d + first[k][3]});
  }
  return x;
}

}  // namespace
}  // namespace salsa20
