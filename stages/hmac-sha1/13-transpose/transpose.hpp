// Transposes matrices of words in registers, and reverses the bytes of words.
#pragma once

#include <array>
#include <utility>

#include "hmac-sha1/02-schedule-ring/words.hpp"

namespace hmac_sha1 {

template <class Vector>
constexpr std::size_t lanes_of = sizeof(Vector) / sizeof(Word);

template <class Vector, std::size_t... i>
static Vector bytes_reversed(Vector x, std::index_sequence<i...>) {
  using Bytes [[gnu::vector_size(sizeof(Vector))]] = std::uint8_t;
  return (Vector)__builtin_shufflevector((Bytes)x, (Bytes)x, (i ^ 3)...);
}

template <class Vector>
static Vector bytes_reversed(Vector x) {
  return bytes_reversed(x, std::make_index_sequence<sizeof(Vector)>());
}

// Interleaves each four words of two rows: `a` becomes a0 b0 a1 b1, and `b` becomes a2 b2 a3 b3, by one instruction
// each. Applied twice it transposes four rows.
template <class Vector, std::size_t... i>
[[gnu::always_inline]] static inline void interleave(Vector& a, Vector& b, std::index_sequence<i...>) {
  constexpr std::size_t lanes = sizeof...(i);
  const Vector low = __builtin_shufflevector(a, b, (i / 4 * 4 + i % 4 / 2 + i % 2 * lanes)...);
  b = __builtin_shufflevector(a, b, (i / 4 * 4 + 2 + i % 4 / 2 + i % 2 * lanes)...);
  a = low;
}

// Swaps the odd groups of `span` words in `a` with the even groups in `b`.
template <std::size_t span, class Vector, std::size_t... i>
[[gnu::always_inline]] static inline void swap_groups(Vector& a, Vector& b, std::index_sequence<i...>) {
  constexpr std::size_t lanes = sizeof...(i);
  const Vector even = __builtin_shufflevector(a, b, (i & span ? lanes + i - span : i)...);
  b = __builtin_shufflevector(a, b, (i & span ? lanes + i : i + span)...);
  a = even;
}

// Transposes each square of as many rows as a vector has lanes; with `apart` 2 each square of four.
template <class Vector, std::size_t apart = lanes_of<Vector> / 2, std::size_t count>
[[gnu::always_inline]] static inline void transpose(std::array<Vector, count>& rows) {
  constexpr std::make_index_sequence<lanes_of<Vector>> every;
#pragma GCC unroll 16
  for (std::size_t i = 0; i < count; ++i) {
    if (i & apart) continue;
    if constexpr (apart >= 4) {
      swap_groups<apart>(rows[i], rows[i + apart], every);
    } else {
      interleave(rows[i], rows[i + apart], every);
    }
  }
  if constexpr (apart > 1) transpose<Vector, apart / 2>(rows);
}

}  // namespace hmac_sha1
