// The bytes in a vector that need an escape, as a mask with one bit for each lane.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstdint>

#include "json/10-vector-widths/widths.hpp"

namespace json {

// Each lane is all ones or zero.
inline std::uint64_t mask_of(Eight lanes) {
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cvtsi64_si128(std::bit_cast<std::int64_t>(lanes))));
}
inline std::uint64_t mask_of(Sixteen lanes) {
  return static_cast<unsigned>(_mm_movemask_epi8(std::bit_cast<__m128i>(lanes)));
}
#ifdef __AVX2__
inline std::uint64_t mask_of(ThirtyTwo lanes) {
  return static_cast<unsigned>(_mm256_movemask_epi8(std::bit_cast<__m256i>(lanes)));
}
#endif
#ifdef __AVX512BW__
inline std::uint64_t mask_of(SixtyFour lanes) { return _mm512_movepi8_mask(std::bit_cast<__m512i>(lanes)); }
#endif

template <class Lanes>
std::uint64_t escapes_in(Lanes bytes) {
  return mask_of(Lanes(bytes < 0x20) | Lanes(bytes == '"') | Lanes(bytes == '\\'));
}

}  // namespace json
