// Without the steps: the words of a block are only added, so that a program loads blocks and does all else.
#pragma once

#include "hmac-sha1/19-sha-streams/streams.hpp"

namespace hmac_sha1 {

template <std::size_t streams>
[[gnu::always_inline]] static inline void eighty_steps(Four (&w)[streams][4], Hash (&hash)[streams]) {
  for (std::size_t s = 0; s < streams; ++s) {
    const Four sum = _mm_add_epi32(_mm_add_epi32(w[s][0], w[s][1]), _mm_add_epi32(w[s][2], w[s][3]));
    hash[s] = {sum, _mm_setzero_si128()};
  }
}

}  // namespace hmac_sha1
