// Kernels for up to eight blocks, as rows of pairs, or in scalar code for a single one.
#pragma once

#include <array>
#include <cstring>
#include <span>

#include "salsa20/21-set-and-block/rows.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

// Blocks as rows, two in each element. While the core waits for a result of one pair, it works on another.
template <std::size_t pairs>
[[gnu::always_inline]] inline auto rows_of_pairs(const State<Word>& state) {
  std::array<Rows, pairs> first;
  for (unsigned k = 0; k < pairs; ++k) first[k] = two_starts(state, 2 * k);
  auto x = first;
  for (unsigned round = 0; round < rounds; round += 2) {
#pragma GCC unroll 4
    for (auto& [a, b, c, d] : x) {
      quarter_round(a, b, c, d);
      b = __builtin_shufflevector(b, b, 3, 0, 1, 2, 7, 4, 5, 6);
      c = __builtin_shufflevector(c, c, 2, 3, 0, 1, 6, 7, 4, 5);
      d = __builtin_shufflevector(d, d, 1, 2, 3, 0, 5, 6, 7, 4);
    }
#pragma GCC unroll 4
    for (auto& [a, b, c, d] : x) {
      quarter_round(a, d, c, b);  // now the lanes hold the rows of the matrix
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
void xor_pairs(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  xor_rows(out, in, rows_of_pairs<pairs>(start.state()));
}

void store(std::uint8_t* bytes, Word word) { std::memcpy(bytes, &word, 4); }

// At most a block.
[[gnu::always_inline]] inline void xor_last_block(std::uint8_t* out, std::span<const std::uint8_t> in,
                                                  const State<Word>& stream) {
  if (in.size() == block_bytes) {
    for (unsigned i = 0; i < words; ++i) store(out + 4 * i, load(in.data() + 4 * i) ^ stream[i]);
    return;
  }
  std::uint8_t bytes[block_bytes];
  std::memcpy(bytes, stream.data(), block_bytes);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] ^ bytes[i];
}

// Scalar, so no instruction of its chain takes more than one cycle.
void xor_block(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  xor_last_block(out, in, key_stream(start.state()));
}

}  // namespace
}  // namespace salsa20
