// A round of AES on a block in a vector.
#pragma once

#include <immintrin.h>

namespace aes_cbc {

using Vector = __m128i;  // a block

static inline Vector add_key(Vector block, Vector key) { return block ^ key; }
static inline Vector encrypt_round(Vector block, Vector key) { return _mm_aesenc_si128(block, key); }
static inline Vector encrypt_last_round(Vector block, Vector key) { return _mm_aesenclast_si128(block, key); }
static inline Vector decrypt_round(Vector block, Vector key) { return _mm_aesdec_si128(block, key); }
static inline Vector decrypt_last_round(Vector block, Vector key) { return _mm_aesdeclast_si128(block, key); }

}  // namespace aes_cbc
