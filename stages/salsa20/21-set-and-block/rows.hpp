// Up to eight blocks as the rows of their matrices, two blocks in each vector.
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "salsa20/07-transpose/transpose.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using Four [[gnu::vector_size(16)]] = Word;
using Eight [[gnu::vector_size(32)]] = Word;

// The inputs of a state. Each kernel computes its own state from them, so none is stored and loaded.
struct Start {
  Key key;
  const Nonce& nonce;
  std::uint64_t counter, blocks;  // of the first block, and how many blocks came since

  State<Word> state() const {
    State<Word> result = initial_state(key, nonce, counter);
    skip(result, blocks);
    return result;
  }
};

using Rows = std::array<Eight, 4>;  // in each half the rows of one block, or its diagonals

template <int... lane>
Rows turned(const Rows& m, unsigned by) {
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(m[i], m[(i + by) % 4], lane...);
  return result;
}

// The diagonals of the matrix, gathered word by word: a load of one word gets its value from a store of one word.
std::array<Four, 4> diagonals(const State<Word>& m) {
  return {Four{m[0], m[5], m[10], m[15]}, Four{m[4], m[9], m[14], m[3]}, Four{m[8], m[13], m[2], m[7]},
          Four{m[12], m[1], m[6], m[11]}};
}

// The starting states of two blocks, as diagonals. The first is `block` blocks further on than `state`.
Rows two_starts(const State<Word>& state, Word block) {
  const auto half = diagonals(state);
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(half[i], half[i], 0, 1, 2, 3, 0, 1, 2, 3);
  const Eight blocks{block, 0, 0, 0, block + 1, 0, 0, 0};
  result[2] += blocks;
  const Eight carry = Eight(result[2] < blocks);
  result[1] -= __builtin_shufflevector(carry, carry, 1, 0, 3, 2, 5, 4, 7, 6);
  return result;
}

// Rotates column i of the diagonals down by i places, so that they become the rows of the matrix.
Rows to_matrix(const Rows& m) { return turned<0, 9, 2, 11, 4, 13, 6, 15>(turned<0, 1, 10, 11, 4, 5, 14, 15>(m, 2), 3); }

// Xors at most twice as many blocks as pairs with their key stream.
template <std::size_t pairs>
[[gnu::always_inline]] inline void xor_rows(std::uint8_t* out, std::span<const std::uint8_t> in,
                                            std::array<Rows, pairs> stream) {
  Eight parts[4 * pairs];
  for (std::size_t k = 0; k < pairs; ++k) {
    constexpr auto lanes = std::make_index_sequence<8>();
    swap_groups<4>(stream[k][0], stream[k][1], lanes);  // two rows of one block, instead of a row of both
    swap_groups<4>(stream[k][2], stream[k][3], lanes);
    for (unsigned i = 0; i < 4; ++i) parts[4 * k + i] = stream[k][i / 2 + i % 2 * 2];
  }
  const Eight* part = parts;
  for (; in.size() >= sizeof(Eight); in = in.subspan(sizeof(Eight)), out += sizeof(Eight)) {
    Eight bytes;
    std::memcpy(&bytes, in.data(), sizeof(Eight));
    bytes ^= *part++;
    std::memcpy(out, &bytes, sizeof(Eight));
  }
  if (in.empty()) return;
  Eight bytes{};
  std::memcpy(&bytes, in.data(), in.size());
  bytes ^= *part;
  std::memcpy(out, &bytes, in.size());
}

}  // namespace
}  // namespace salsa20
