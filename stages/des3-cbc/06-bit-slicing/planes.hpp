// Bit planes: vectors that hold the same bit of many blocks, a block in each lane of one bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace des3_cbc {

#if defined(__AVX512F__)
constexpr std::size_t plane_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t plane_bytes = 32;
#else
constexpr std::size_t plane_bytes = 16;  // SSE2, NEON
#endif
using Plane [[gnu::vector_size(plane_bytes)]] = std::uint64_t;
constexpr std::size_t plane_lanes = 8 * plane_bytes;
// The tables take about as long for this many blocks as the planes take for all lanes.
constexpr std::size_t fewest_lanes = 32;

using Planes = std::array<Plane, 64>;
// A block, or a key, of each lane, as it lies in memory.
using Words = std::array<std::uint64_t, plane_lanes>;

// Transposes 64 x 64 bits in each column of words: bit i of row j changes places with bit j of row i. First the
// upper right and the lower left quarter of the matrix are exchanged, then the same in each quarter, and so on.
inline void transpose(Planes& rows) {
  std::uint64_t mask = 0x00000000FFFFFFFF;
  for (unsigned span = 32; span != 0; span /= 2, mask ^= mask << span) {
    for (unsigned row = 0; row < 64; row = (row + span + 1) & ~span) {
      const Plane different = (rows[row] >> span ^ rows[row + span]) & mask;
      rows[row] ^= different << span;
      rows[row + span] ^= different;
    }
  }
}

inline Planes planes_of(const Words& words) {
  Planes planes;
  static_assert(sizeof planes == sizeof words);
  std::memcpy(&planes, &words, sizeof planes);
  transpose(planes);
  return planes;
}

inline Words words_of(Planes planes) {
  transpose(planes);
  Words words;
  std::memcpy(&words, &planes, sizeof words);
  return words;
}

}  // namespace des3_cbc
