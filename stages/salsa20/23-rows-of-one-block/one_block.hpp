// A single block as four rows, in vectors of four words.
#pragma once

#include <array>
#include <cstring>
#include <span>

#include "salsa20/21-set-and-block/rows.hpp"
#include "salsa20/22-two-xors/few_blocks.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using OneBlock = std::array<Four, 4>;  // its rows, or its diagonals

// Rotates column i of the diagonals down by i places, so that they become the rows of the matrix.
OneBlock rows_from(const OneBlock& m) {
  OneBlock half, rows;
  for (unsigned i = 0; i < 4; ++i) half[i] = __builtin_shufflevector(m[i], m[(i + 2) % 4], 0, 1, 6, 7);
  for (unsigned i = 0; i < 4; ++i) rows[i] = __builtin_shufflevector(half[i], half[(i + 3) % 4], 0, 5, 2, 7);
  return rows;
}

OneBlock key_stream_of_block(const State<Word>& state) {
  const OneBlock first = diagonals(state);
  auto [a, b, c, d] = first;
  for (unsigned round = 0; round < rounds; round += 2) {
    quarter_round_of_rows(a, b, c, d);
    b = __builtin_shufflevector(b, b, 3, 0, 1, 2);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 1, 2, 3, 0);
    quarter_round_of_rows(a, d, c, b);  // now the lanes hold the rows of the matrix
    b = __builtin_shufflevector(b, b, 1, 2, 3, 0);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 3, 0, 1, 2);
  }
  return rows_from({a + first[0], b + first[1], c + first[2], d + first[3]});
}

// At most a block.
void xor_rows_of_block(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  const OneBlock stream = key_stream_of_block(start.state());
  const Four* row = stream.data();
  for (; in.size() >= sizeof(Four); in = in.subspan(sizeof(Four)), out += sizeof(Four)) {
    Four bytes;
    std::memcpy(&bytes, in.data(), sizeof(Four));
    bytes ^= *row++;
    std::memcpy(out, &bytes, sizeof(Four));
  }
  if (in.empty()) return;
  Four bytes{};
  std::memcpy(&bytes, in.data(), in.size());
  bytes ^= *row;
  std::memcpy(out, &bytes, in.size());
}

}  // namespace
}  // namespace salsa20
