// The eighty steps of SHA-1 on words of any type.
#pragma once

#include "hmac-sha1/07-generic-steps/any_word.hpp"

namespace hmac_sha1 {

template <int quarter, class AnyWord>
[[gnu::always_inline]] static inline void step(int t, BlockOf<AnyWord>& w, AnyWord a, AnyWord& b, AnyWord c, AnyWord d,
                                               AnyWord& e, auto load, auto operations) {
  constexpr Word k[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
  if (t < 16 && t % 4 == 0) load(t);
  if (t >= 16) w[t % 16] = rotl(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
  const AnyWord f = quarter == 0 ? d ^ (b & (c ^ d)) : quarter == 2 ? operations.majority(b, c, d) : b ^ c ^ d;
  e = operations.early_sum(e + (w[t % 16] + k[quarter])) + f + rotl(a, 5);
  b = rotl(b, 30);
}

// After five steps each variable has its first name again.
template <int quarter, class AnyWord>
[[gnu::always_inline]] static inline void twenty_steps(BlockOf<AnyWord>& w, AnyWord& a, AnyWord& b, AnyWord& c,
                                                       AnyWord& d, AnyWord& e, auto load, auto operations) {
#pragma GCC unroll 4
  for (int t = 20 * quarter; t < 20 * quarter + 20; t += 5) {
    step<quarter>(t, w, a, b, c, d, e, load, operations);
    step<quarter>(t + 1, w, e, a, b, c, d, load, operations);
    step<quarter>(t + 2, w, d, e, a, b, c, load, operations);
    step<quarter>(t + 3, w, c, d, e, a, b, load, operations);
    step<quarter>(t + 4, w, b, c, d, e, a, load, operations);
  }
}

// `load(t)` provides words t to t + 3 of the block. It is called for 0, 4, 8 and 12, before the steps that use them.
template <class AnyWord>
[[gnu::always_inline]] static inline void eighty_steps(StateOf<AnyWord>& state, BlockOf<AnyWord>& w, auto load,
                                                       auto operations) {
  auto [a, b, c, d, e] = state;
  twenty_steps<0>(w, a, b, c, d, e, load, operations);
  twenty_steps<1>(w, a, b, c, d, e, load, operations);
  twenty_steps<2>(w, a, b, c, d, e, load, operations);
  twenty_steps<3>(w, a, b, c, d, e, load, operations);
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

}  // namespace hmac_sha1
