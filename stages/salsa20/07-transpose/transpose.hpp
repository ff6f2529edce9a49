// Xors vectors that hold the same word of several blocks with a message: transposes them in registers first.
#pragma once

#include <cstring>
#include <utility>

#include "salsa20/04-four-blocks/key_stream.hpp"

namespace salsa20 {
namespace {

template <class Vector>
constexpr std::size_t lanes_of = sizeof(Vector) / sizeof(Word);

// Swaps the odd groups of `span` words in `a` with the even groups in `b`.
template <std::size_t span, class Vector, std::size_t... i>
[[gnu::always_inline]] inline void swap_groups(Vector& a, Vector& b, std::index_sequence<i...>) {
  constexpr std::size_t width = lanes_of<Vector>;
  const Vector even = __builtin_shufflevector(a, b, (i & span ? width + i - span : i)...);
  b = __builtin_shufflevector(a, b, (i & span ? width + i : i + span)...);
  a = even;
}

// Transposes every square of `width` rows of `width` words.
template <std::size_t span = 1, class Vector>
[[gnu::always_inline]] inline void transpose(State<Vector>& rows) {
  constexpr std::size_t width = lanes_of<Vector>;
  if constexpr (span < width) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < words; ++i) {
      if (!(i & span)) swap_groups<span>(rows[i], rows[i + span], std::make_index_sequence<width>());
    }
    transpose<2 * span>(rows);
  }
}

template <class Vector>
[[gnu::always_inline]] inline void xor_blocks(std::uint8_t* out, const std::uint8_t* in, State<Vector> stream) {
  constexpr std::size_t width = lanes_of<Vector>;
  transpose(stream);
#pragma GCC unroll 16
  for (unsigned i = 0; i < words; ++i) {  // each is now a part of one block
    const std::size_t place = block_bytes * (i % width) + i / width * sizeof(Vector);
    Vector part;
    std::memcpy(&part, in + place, sizeof(Vector));
    part ^= stream[i];
    std::memcpy(out + place, &part, sizeof(Vector));
  }
}

}  // namespace
}  // namespace salsa20
