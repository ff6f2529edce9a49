// 17 As written: what a step knows beforehand is added up beforehand, and shuffles are not merged into longer ones.
// requires: x86-64-v4
// variants: no-steps
#include <immintrin.h>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/lanes.hpp"

namespace hmac_sha1 {

constexpr std::size_t lanes = 16;

struct Manager : Gathering {
  Tail tails[lanes];
};

using Lanes [[gnu::vector_size(4 * lanes)]] = Word;  // the same word of each message

// The bits of the number say what comes out for each three bits that go in: 1 where two of them or all are 1.
template <>
[[gnu::always_inline]] inline Lanes majority(Lanes b, Lanes c, Lanes d) {
  return (Lanes)_mm512_ternarylogic_epi32((__m512i)b, (__m512i)c, (__m512i)d, 0b1110'1000);
}

// The compiler cannot see where it comes from, and so merges nothing with what made it.
[[gnu::always_inline]] inline void as_written(Lanes& x) { asm("" : "+v"(x)); }

template <>
[[gnu::always_inline]] inline Lanes known_before(Lanes sum) {
  as_written(sum);
  return sum;
}

namespace {

// Words t to t + 3 of four messages, which are four lanes apart, side by side: only squares are left to be mirrored.
Lanes load_row(const std::uint8_t* const* at, int t) {
  const auto load = [=](int lane) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at[lane] + 4 * t)); };
  const __m256i low = _mm256_set_m128i(load(4), load(0)), high = _mm256_set_m128i(load(12), load(8));
  return (Lanes)_mm512_maskz_inserti64x4(0xFF, _mm512_castsi256_si512(low), high, 1);
}

struct InFours {
  [[gnu::always_inline]] static void absorb(StateOf<Lanes>& state, const std::uint8_t* const* at, auto finish) {
    BlockOf<Lanes> w;
    compress(state, w, [&](int t) {
      std::array<Lanes, 4> rows;
      for (int i = 0; i < 4; ++i) rows[i] = load_row(at + i, t);
      transpose<Lanes, 2>(rows);
      for (int i = 0; i < 4; ++i) {
        as_written(rows[i]);
        w[t + i] = bytes_reversed(rows[i]);
      }
      if (t == 12) finish(w);
    });
  }
};

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) { prepare(key, bytes, after_pad); }
Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) { return submit<work_on<Lanes, InFours>, lanes>(manager, job); }
Job* flush(Manager& manager) { return flush<work_on<Lanes, InFours>, lanes>(manager); }
void batch(Manager& manager, std::span<Job> jobs) { batch<work_on<Lanes, InFours>, lanes>(manager, jobs); }

}  // namespace hmac_sha1
