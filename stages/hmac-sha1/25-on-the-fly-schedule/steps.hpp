// The eighty steps of SHA-1 of four streams, with the message schedule computed on the fly.
#pragma once

#include "hmac-sha1/19-sha-streams/streams.hpp"

namespace hmac_sha1 {

// Barriers that a stage may replace.
struct NoBarriers {
  [[gnu::always_inline]] static void words(Four&) {}           // four words of a stream, which were just computed
  [[gnu::always_inline]] static void steps(auto& /*hash*/) {}  // four steps of every stream
  [[gnu::always_inline]] static void copy(auto& to, const auto& from) { hmac_sha1::copy(to, from); }
};

// Steps 4 * g to 4 * g + 3 of every stream. The next four steps compute their e from abcd as it was before these. The
// words are loaded, or computed from the sixteen before them, just before their steps; `last` are the latest four.
template <int quarter, std::size_t streams>
[[gnu::always_inline]] static inline void four_steps(int g, Four (&w)[streams][4], Four (&last)[streams], auto&& words,
                                                     Hash (&hash)[streams], auto barriers) {
#pragma GCC unroll 4
  for (std::size_t s = 0; s < streams; ++s) {
    if (g < 4) last[s] = words(s, g);
    if (g >= 4) {
      const Four partial = _mm_xor_si128(_mm_sha1msg1_epu32(w[s][g % 4], w[s][(g + 1) % 4]), w[s][(g + 2) % 4]);
      last[s] = _mm_sha1msg2_epu32(partial, last[s]);
    }
    w[s][g % 4] = last[s];
    barriers.words(w[s][g % 4]);
    auto& [abcd, e] = hash[s];
    const Four sum = g == 0 ? _mm_add_epi32(e, last[s]) : _mm_sha1nexte_epu32(e, last[s]);
    e = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, sum, quarter);
  }
  barriers.steps(hash);
}

template <int quarter>
[[gnu::always_inline]] static inline void twenty_steps(auto& w, auto& last, auto&& words, auto& hash, auto barriers) {
#pragma GCC unroll 5
  for (int g = 5 * quarter; g < 5 * quarter + 5; ++g) four_steps<quarter>(g, w, last, words, hash, barriers);
}

template <std::size_t streams>
[[gnu::always_inline]] static inline void eighty_steps(auto&& words, Hash (&hash)[streams], auto barriers) {
  Four w[streams][4], last[streams];
  twenty_steps<0>(w, last, words, hash, barriers);
  twenty_steps<1>(w, last, words, hash, barriers);
  twenty_steps<2>(w, last, words, hash, barriers);
  twenty_steps<3>(w, last, words, hash, barriers);
}

}  // namespace hmac_sha1
