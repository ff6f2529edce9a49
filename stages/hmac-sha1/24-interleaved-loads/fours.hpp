// Loads four words of sixteen messages when the steps need them.
#pragma once

#include <immintrin.h>

#include "hmac-sha1/07-generic-steps/steps.hpp"
#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/13-transpose/transpose.hpp"
#include "hmac-sha1/21-ternary-logic/ternary_logic.hpp"

namespace hmac_sha1 {

// Words t to t + 3 of messages 0, 4, 8 and 12 of those at `at`. Only squares of four words are left to transpose.
static inline Lanes load_row(const std::uint8_t* const* at, int t) {
  const auto load = [=](int lane) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at[lane] + 4 * t)); };
  const __m256i low = _mm256_set_m128i(load(4), load(0)), high = _mm256_set_m128i(load(12), load(8));
  return (Lanes)_mm512_maskz_inserti64x4(0xFF, _mm512_castsi256_si512(low), high, 1);
}

struct FourOperations : TernaryLogic {
  [[gnu::always_inline]] static void transposed(Lanes&) {}  // between transposition and byte swap
};

template <class Replaced = FourOperations>
struct Fours {
  using Operations = Replaced;

  [[gnu::always_inline]] static void absorb(StateOf<Lanes>& state, const std::uint8_t* const* at, auto finish) {
    BlockOf<Lanes> w;
    const auto load = [&](int t) {
      std::array<Lanes, 4> rows;
      for (int i = 0; i < 4; ++i) rows[i] = load_row(at + i, t);
      transpose<Lanes, 2>(rows);
      for (int i = 0; i < 4; ++i) {
        Replaced::transposed(rows[i]);
        w[t + i] = bytes_reversed(rows[i]);
      }
      if (t == 12) finish(w);
    };
    eighty_steps(state, w, load, Replaced{});
  }
};

}  // namespace hmac_sha1
