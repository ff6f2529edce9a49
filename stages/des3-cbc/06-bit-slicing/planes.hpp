// Bit planes: vectors that hold the same bit of many blocks, a block in each lane of one bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace des3_cbc {

#if defined(__AVX512F__)
constexpr std::size_t widest_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t widest_bytes = 32;
#else
constexpr std::size_t widest_bytes = 16;  // SSE2, NEON
#endif
using WidestPlane [[gnu::vector_size(widest_bytes)]] = std::uint64_t;

template <class Plane>
constexpr std::size_t lanes_of = 8 * sizeof(Plane);

// The tables take about as long for this many blocks as the planes take for all lanes.
constexpr std::size_t fewest_lanes = 32;

template <class Plane>
using Planes = std::array<Plane, 64>;
// A block, or a key, of each lane, as it lies in memory.
template <class Plane>
using Words = std::array<std::uint64_t, lanes_of<Plane>>;

// Transposes 64 x 64 bits in each column of words: bit i of row j changes places with bit j of row i. First the
// upper right and the lower left quarter of the matrix are exchanged, then the same in each quarter, and so on.
template <class Plane>
void transpose(Planes<Plane>& rows) {
  std::uint64_t mask = 0x00000000FFFFFFFF;
  for (unsigned span = 32; span != 0; span /= 2, mask ^= mask << span) {
    for (unsigned row = 0; row < 64; row = (row + span + 1) & ~span) {
      const Plane different = (rows[row] >> span ^ rows[row + span]) & mask;
      rows[row] ^= different << span;
      rows[row + span] ^= different;
    }
  }
}

template <class Plane>
Planes<Plane> planes_of(const Words<Plane>& words) {
  Planes<Plane> planes;
  static_assert(sizeof planes == sizeof words);
  std::memcpy(&planes, &words, sizeof planes);
  transpose(planes);
  return planes;
}

template <class Plane>
Words<Plane> words_of(Planes<Plane> planes) {
  transpose(planes);
  Words<Plane> words;
  std::memcpy(&words, &planes, sizeof words);
  return words;
}

}  // namespace des3_cbc
