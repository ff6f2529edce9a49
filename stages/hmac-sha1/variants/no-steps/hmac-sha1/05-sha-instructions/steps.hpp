// Without the steps: the words of a block are only added, so that a program loads blocks and does all else.
#pragma once

#include "hmac-sha1/05-sha-instructions/sha.hpp"

namespace hmac_sha1 {

[[gnu::always_inline]] static inline void eighty_steps(Four (&w)[4], Hash& hash) {
  hash = {_mm_add_epi32(_mm_add_epi32(w[0], w[1]), _mm_add_epi32(w[2], w[3])), _mm_setzero_si128()};
}

}  // namespace hmac_sha1
