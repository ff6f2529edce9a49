// Without the steps: the words of a block are only added, so that a program loads blocks and does all else.
#pragma once

#include "hmac-sha1/19-sha-streams/streams.hpp"

namespace hmac_sha1 {

struct NoBarriers {
  [[gnu::always_inline]] static void copy(auto& to, const auto& from) { hmac_sha1::copy(to, from); }
};

template <std::size_t streams>
[[gnu::always_inline]] static inline void eighty_steps(auto&& words, Hash (&hash)[streams], auto /*barriers*/) {
  for (std::size_t s = 0; s < streams; ++s) {
    const Four sum = _mm_add_epi32(_mm_add_epi32(words(s, 0), words(s, 1)), _mm_add_epi32(words(s, 2), words(s, 3)));
    hash[s] = {sum, _mm_setzero_si128()};
  }
}

}  // namespace hmac_sha1
