// Vectors that hold the same word of several blocks; they are loaded and stored whole, and transposed in registers.
#pragma once

#include <cstring>
#include <utility>

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t width = 8;
#elif defined(__AVX2__)
constexpr std::size_t width = 4;
#else
constexpr std::size_t width = 2;  // SSE2, NEON
#endif
using Lanes [[gnu::vector_size(8 * width)]] = std::uint64_t;  // the same word of that many blocks
using Set = std::array<Lanes, 4>;

// Exchanges the odd groups of `span` words in `a` for the even ones in `b`.
template <std::size_t span, std::size_t... i>
[[gnu::always_inline]] inline void exchange(Lanes& a, Lanes& b, std::index_sequence<i...>) {
  const Lanes even = __builtin_shufflevector(a, b, (i & span ? width + i - span : i)...);
  b = __builtin_shufflevector(a, b, (i & span ? width + i : i + span)...);
  a = even;
}

// From rows of neighbouring words to rows of equal words, and back. The order of the blocks in lanes does not matter.
[[gnu::always_inline]] inline void transpose(Set& rows) {
  constexpr auto lanes = std::make_index_sequence<width>();
  exchange<1>(rows[0], rows[1], lanes);
  exchange<1>(rows[2], rows[3], lanes);
  if constexpr (width > 2) {
    exchange<2>(rows[0], rows[2], lanes);
    exchange<2>(rows[1], rows[3], lanes);
  }
}

// Where row i of a set is. With two lanes a block is two rows, and the rows of two blocks alternate.
constexpr std::size_t place[4] = {0, width == 2 ? 2 * width : width, width == 2 ? width : 2 * width, 3 * width};

[[gnu::always_inline]] inline Set load(const Block* blocks) {
  Set rows;
  std::memcpy(&rows[0], blocks->data() + place[0], sizeof(Lanes));
  std::memcpy(&rows[1], blocks->data() + place[1], sizeof(Lanes));
  std::memcpy(&rows[2], blocks->data() + place[2], sizeof(Lanes));
  std::memcpy(&rows[3], blocks->data() + place[3], sizeof(Lanes));
  transpose(rows);
  return rows;
}

[[gnu::always_inline]] inline void store(Block* blocks, Set rows) {
  transpose(rows);
  std::memcpy(blocks->data() + place[0], &rows[0], sizeof(Lanes));
  std::memcpy(blocks->data() + place[1], &rows[1], sizeof(Lanes));
  std::memcpy(blocks->data() + place[2], &rows[2], sizeof(Lanes));
  std::memcpy(blocks->data() + place[3], &rows[3], sizeof(Lanes));
}

}  // namespace
}  // namespace threefish
