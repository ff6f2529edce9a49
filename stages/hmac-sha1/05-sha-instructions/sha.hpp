// The state of SHA-1 in the form that the SHA instructions use.
#pragma once

#include <immintrin.h>

#include <cstring>

#include "hmac-sha1/02-schedule-ring/words.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

using Four = __m128i;  // words, the first of them highest
struct Hash {
  Four abcd, e;
};

// SHA instructions exist in the SSE encoding only. While the upper half of a register is in use, a change between SSE
// and AVX instructions costs an Intel core over a hundred cycles. An AMD core may wait at each SSE instruction.
static inline void clear_upper_halves() {
#ifdef __AVX__
  _mm256_zeroupper();
#endif
}

static inline Four load_four(const void* bytes) { return _mm_loadu_si128(static_cast<const Four*>(bytes)); }
static inline Four bytes_reversed(Four x) {
  return _mm_shuffle_epi8(x, _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F));
}
static inline Four words_reversed(Four x) { return _mm_shuffle_epi32(x, 0x1B); }

static inline Hash hash_from(const State& state) {
  return {words_reversed(load_four(state.data())), _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0)};
}

static inline State state_of(const Hash& hash) {
  State state;
  const Four abcd = words_reversed(hash.abcd);
  std::memcpy(state.data(), &abcd, sizeof abcd);
  state[4] = static_cast<Word>(_mm_extract_epi32(hash.e, 3));
  return state;
}

}  // namespace hmac_sha1
