// SHA-1 compression with unrolled steps: the names of variables rotate, not their values.
#pragma once

#include <bit>

#include "hmac-sha1/02-schedule-ring/words.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

template <int quarter>
[[gnu::always_inline]] static inline void step(int t, Block& w, Word a, Word& b, Word c, Word d, Word& e) {
  constexpr Word k[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
  if (t >= 16) w[t % 16] = std::rotl(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
  const Word f = quarter == 0 ? d ^ (b & (c ^ d)) : quarter == 2 ? (b & c) | (d & (b | c)) : b ^ c ^ d;
  e += w[t % 16] + k[quarter] + f + std::rotl(a, 5);
  b = std::rotl(b, 30);
}

// After five steps each variable has its first name again.
template <int quarter>
[[gnu::always_inline]] static inline void twenty_steps(Block& w, Word& a, Word& b, Word& c, Word& d, Word& e) {
#pragma GCC unroll 4
  for (int t = 20 * quarter; t < 20 * quarter + 20; t += 5) {
    step<quarter>(t, w, a, b, c, d, e);
    step<quarter>(t + 1, w, e, a, b, c, d);
    step<quarter>(t + 2, w, d, e, a, b, c);
    step<quarter>(t + 3, w, c, d, e, a, b);
    step<quarter>(t + 4, w, b, c, d, e, a);
  }
}

static void compress(State& state, const std::uint8_t* block) {
  Block w = load(block);
  auto [a, b, c, d, e] = state;
  twenty_steps<0>(w, a, b, c, d, e);
  twenty_steps<1>(w, a, b, c, d, e);
  twenty_steps<2>(w, a, b, c, d, e);
  twenty_steps<3>(w, a, b, c, d, e);
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

static State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, block);
  return state;
}

}  // namespace hmac_sha1
