// The message schedule in SSE: four words at a time in a vector, while the steps stay scalar.
// requires: x86-64 ssse3
#include <immintrin.h>

#include <bit>

#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/01-pads/hmac.hpp"
#include "hmac-sha1/02-schedule-ring/words.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

using Four = __m128i;  // words, the first of them lowest

constexpr Word constants[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};

template <int n>
Four rotl(Four x) {
  return _mm_or_si128(_mm_slli_epi32(x, n), _mm_srli_epi32(x, 32 - n));
}

// Words 4 * g to 4 * g + 3 of the message schedule.
[[gnu::always_inline]] inline Four next_words(int g, const Four* w) {
  if (g < 8) {
    // The last word needs the first one of the same vector: it is xored in after the rotation.
    const Four three_back = _mm_srli_si128(w[g - 1], 4);
    const Four sum = rotl<1>(three_back ^ w[g - 2] ^ _mm_alignr_epi8(w[g - 3], w[g - 4], 8) ^ w[g - 4]);
    return sum ^ rotl<1>(_mm_slli_si128(sum, 12));
  }
  // The recurrence applied twice: no word needs one of the same vector.
  return rotl<2>(_mm_alignr_epi8(w[g - 1], w[g - 2], 8) ^ w[g - 4] ^ w[g - 7] ^ w[g - 8]);
}

template <int quarter>
[[gnu::always_inline]] inline void step(Word sum, Word a, Word& b, Word c, Word d, Word& e) {
  const Word f = quarter == 0 ? d ^ (b & (c ^ d)) : quarter == 2 ? (b & c) | (d & (b | c)) : b ^ c ^ d;
  e += sum + f + std::rotl(a, 5);
  b = std::rotl(b, 30);
}

// Five vectors of the schedule with their constants, then the steps that use them.
template <int quarter>
[[gnu::always_inline]] inline void twenty_steps(const std::uint8_t* block, Four* w, Word& a, Word& b, Word& c, Word& d,
                                                Word& e) {
  const Four reversed = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  alignas(Four) Word sums[20];
#pragma GCC unroll 5
  for (int i = 0; i < 5; ++i) {
    const int g = 5 * quarter + i;
    if (g < 4) {
      w[g] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const Four*>(block + 16 * g)), reversed);
    } else {
      w[g] = next_words(g, w);
    }
    const Four sum = _mm_add_epi32(w[g], _mm_set1_epi32(static_cast<int>(constants[quarter])));
    _mm_store_si128(reinterpret_cast<Four*>(sums + 4 * i), sum);
  }
#pragma GCC unroll 4
  for (int t = 0; t < 20; t += 5) {
    step<quarter>(sums[t], a, b, c, d, e);
    step<quarter>(sums[t + 1], e, a, b, c, d);
    step<quarter>(sums[t + 2], d, e, a, b, c);
    step<quarter>(sums[t + 3], c, d, e, a, b);
    step<quarter>(sums[t + 4], b, c, d, e, a);
  }
}

}  // namespace

static void compress(State& state, const std::uint8_t* block) {
  Four w[20];
  auto [a, b, c, d, e] = state;
  twenty_steps<0>(block, w, a, b, c, d, e);
  twenty_steps<1>(block, w, a, b, c, d, e);
  twenty_steps<2>(block, w, a, b, c, d, e);
  twenty_steps<3>(block, w, a, b, c, d, e);
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

static State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, block);
  return state;
}

namespace {

struct Processor {
  void operator()(const Job& job) const { hash(job); }
};

}  // namespace

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
