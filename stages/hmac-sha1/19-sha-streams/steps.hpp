// The eighty steps of SHA-1 of four streams, interleaved.
#pragma once

#include "hmac-sha1/19-sha-streams/streams.hpp"

namespace hmac_sha1 {

// Steps 4 * g to 4 * g + 3 of every stream. The next four steps compute their e from abcd as it was before these.
template <int quarter, std::size_t streams>
[[gnu::always_inline]] static inline void four_steps(int g, Four (&w)[streams][4], Hash (&hash)[streams]) {
#pragma GCC unroll 4
  for (std::size_t s = 0; s < streams; ++s) {
    auto& [abcd, e] = hash[s];
    const Four sum = g == 0 ? _mm_add_epi32(e, w[s][0]) : _mm_sha1nexte_epu32(e, w[s][g % 4]);
    e = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, sum, quarter);
    const Four partial = _mm_xor_si128(_mm_sha1msg1_epu32(w[s][g % 4], w[s][(g + 1) % 4]), w[s][(g + 2) % 4]);
    w[s][g % 4] = _mm_sha1msg2_epu32(partial, w[s][(g + 3) % 4]);  // the next four words of the message schedule
  }
}

template <int quarter, std::size_t streams>
[[gnu::always_inline]] static inline void twenty_steps(Four (&w)[streams][4], Hash (&hash)[streams]) {
#pragma GCC unroll 5
  for (int g = 5 * quarter; g < 5 * quarter + 5; ++g) four_steps<quarter>(g, w, hash);
}

template <std::size_t streams>
[[gnu::always_inline]] static inline void eighty_steps(Four (&w)[streams][4], Hash (&hash)[streams]) {
  twenty_steps<0>(w, hash);
  twenty_steps<1>(w, hash);
  twenty_steps<2>(w, hash);
  twenty_steps<3>(w, hash);
}

}  // namespace hmac_sha1
