// The eighty steps of SHA-1 by the SHA instructions.
#pragma once

#include "hmac-sha1/05-sha-instructions/sha.hpp"

namespace hmac_sha1 {

// Steps 4 * g to 4 * g + 3. The next four steps compute their e from abcd as it was before these.
template <int quarter>
[[gnu::always_inline]] static inline void four_steps(int g, Four (&w)[4], Four& abcd, Four& e) {
  const Four sum = g == 0 ? _mm_add_epi32(e, w[0]) : _mm_sha1nexte_epu32(e, w[g % 4]);
  e = abcd;
  abcd = _mm_sha1rnds4_epu32(abcd, sum, quarter);
  const Four partial = _mm_xor_si128(_mm_sha1msg1_epu32(w[g % 4], w[(g + 1) % 4]), w[(g + 2) % 4]);
  w[g % 4] = _mm_sha1msg2_epu32(partial, w[(g + 3) % 4]);  // the next four words of the message schedule
}

template <int quarter>
[[gnu::always_inline]] static inline void twenty_steps(Four (&w)[4], Four& abcd, Four& e) {
#pragma GCC unroll 5
  for (int g = 5 * quarter; g < 5 * quarter + 5; ++g) four_steps<quarter>(g, w, abcd, e);
}

[[gnu::always_inline]] static inline void eighty_steps(Four (&w)[4], Hash& hash) {
  twenty_steps<0>(w, hash.abcd, hash.e);
  twenty_steps<1>(w, hash.abcd, hash.e);
  twenty_steps<2>(w, hash.abcd, hash.e);
  twenty_steps<3>(w, hash.abcd, hash.e);
}

}  // namespace hmac_sha1
