// Without the cipher: rounds leave a block as it is, so that a program loads, chains and stores blocks alone.
#pragma once

#include <immintrin.h>

namespace aes_cbc {

using TwoBlocks = __m256i;  // adjacent blocks of a buffer, or a block of each of two lanes

static inline TwoBlocks add_key(TwoBlocks blocks, TwoBlocks /*key*/) { return blocks; }
static inline TwoBlocks encrypt_round(TwoBlocks blocks, TwoBlocks /*key*/) { return blocks; }
static inline TwoBlocks encrypt_last_round(TwoBlocks blocks, TwoBlocks /*key*/) { return blocks; }
static inline TwoBlocks decrypt_round(TwoBlocks blocks, TwoBlocks /*key*/) { return blocks; }
static inline TwoBlocks decrypt_last_round(TwoBlocks blocks, TwoBlocks /*key*/) { return blocks; }

}  // namespace aes_cbc
