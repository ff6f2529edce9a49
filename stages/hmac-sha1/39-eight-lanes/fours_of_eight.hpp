// Loads four words of eight messages when the steps need them.
#pragma once

#include <immintrin.h>

#include "hmac-sha1/07-generic-steps/steps.hpp"
#include "hmac-sha1/13-transpose/transpose.hpp"

namespace hmac_sha1 {

using EightLanes [[gnu::vector_size(32)]] = Word;

// Words t to t + 3 of messages 0 and 4 of those at `at`: only squares of four words are left to transpose.
static inline EightLanes load_row(const std::uint8_t* const* at, int t) {
  const auto load = [=](int lane) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at[lane] + 4 * t)); };
  return (EightLanes)_mm256_set_m128i(load(4), load(0));
}

struct FoursOfEight {
  using Operations = hmac_sha1::Operations;

  [[gnu::always_inline]] static void absorb(StateOf<EightLanes>& state, const std::uint8_t* const* at, auto finish) {
    BlockOf<EightLanes> w;
    const auto load = [&](int t) {
      std::array<EightLanes, 4> rows;
      for (int i = 0; i < 4; ++i) rows[i] = load_row(at + i, t);
      transpose<EightLanes, 2>(rows);
      for (int i = 0; i < 4; ++i) w[t + i] = bytes_reversed(rows[i]);
      if (t == 12) finish(w);
    };
    eighty_steps(state, w, load, Operations{});
  }
};

}  // namespace hmac_sha1
