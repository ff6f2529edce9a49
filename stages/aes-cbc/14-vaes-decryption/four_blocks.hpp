// Four blocks in a vector: a block repeated, and the words of a rest.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstddef>

#include "aes-cbc/14-vaes-decryption/instructions.hpp"

namespace aes_cbc {

static inline FourBlocks repeat(const void* block) {
  return _mm512_maskz_broadcast_i32x4(0xFFFF, _mm_loadu_si128(static_cast<const __m128i*>(block)));
}

// A mask of the words that the next `bytes` fill.
static inline __mmask8 mask(std::size_t bytes) {
  return static_cast<__mmask8>(_bzhi_u32(0xFF, std::min<std::size_t>(bytes / 8, 8)));
}

}  // namespace aes_cbc
