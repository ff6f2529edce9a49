// What stage 04 came to, for stages 05 to 10, 12 to 15 and 17: the steps of SHA-1 on any kind of word, and the state
// after a pad.
#pragma once

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/words.hpp"

namespace hmac_sha1 {

template <class AnyWord>
[[gnu::always_inline]] static inline AnyWord rotl(AnyWord x, int n) {
  return x << n | x >> (32 - n);
}

// By itself, for stages 13, 15 and 17 specialise it.
template <class AnyWord>
[[gnu::always_inline]] inline AnyWord majority(AnyWord b, AnyWord c, AnyWord d) {
  return (b & c) | (d & (b | c));
}

// What a step can add up before the one before it is done. By itself, for stage 17 specialises it.
template <class AnyWord>
[[gnu::always_inline]] inline AnyWord known_before(AnyWord sum) {
  return sum;
}

template <int quarter, class AnyWord>
[[gnu::always_inline]] static inline void step(int t, BlockOf<AnyWord>& w, AnyWord a, AnyWord& b, AnyWord c, AnyWord d,
                                               AnyWord& e, auto load) {
  constexpr Word k[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
  if (t < 16 && t % 4 == 0) load(t);
  if (t >= 16) w[t % 16] = rotl(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
  const AnyWord f = quarter == 0 ? d ^ (b & (c ^ d)) : quarter == 2 ? majority(b, c, d) : b ^ c ^ d;
  e = known_before(e + (w[t % 16] + k[quarter])) + f + rotl(a, 5);
  b = rotl(b, 30);
}

// After five steps every word has its name again.
template <int quarter, class AnyWord>
[[gnu::always_inline]] static inline void twenty_steps(BlockOf<AnyWord>& w, AnyWord& a, AnyWord& b, AnyWord& c,
                                                       AnyWord& d, AnyWord& e, auto load) {
#pragma GCC unroll 4
  for (int t = 20 * quarter; t < 20 * quarter + 20; t += 5) {
    step<quarter>(t, w, a, b, c, d, e, load);
    step<quarter>(t + 1, w, e, a, b, c, d, load);
    step<quarter>(t + 2, w, d, e, a, b, c, load);
    step<quarter>(t + 3, w, c, d, e, a, b, load);
    step<quarter>(t + 4, w, b, c, d, e, a, load);
  }
}

// `load(t)` sees to it that words t to t + 3 of the block are there; it is called for 0, 4, 8 and 12 when they are
// wanted.
template <class AnyWord>
[[gnu::always_inline]] static inline void compress(StateOf<AnyWord>& state, BlockOf<AnyWord>& w, auto load) {
  if constexpr (steps == 0) {
    for (int t = 0; t < 16; t += 4) load(t);
    for (std::size_t i = 0; i < words; ++i) state[i % 4] = state[i % 4] + w[i];
    return;
  }
  auto [a, b, c, d, e] = state;
  twenty_steps<0>(w, a, b, c, d, e, load);
  twenty_steps<1>(w, a, b, c, d, e, load);
  twenty_steps<2>(w, a, b, c, d, e, load);
  twenty_steps<3>(w, a, b, c, d, e, load);
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

template <class AnyWord>
static void compress(StateOf<AnyWord>& state, BlockOf<AnyWord>&& w) {
  compress(state, w, [](int) {});
}

static inline State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, load(block));
  return state;
}

}  // namespace hmac_sha1
