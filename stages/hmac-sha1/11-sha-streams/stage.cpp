// 11 Four messages side by side again, but by the processor's instructions for SHA-1, which leave time for others.
// requires: x86-64 ssse3 sse4.1 sha
// variants: no-steps
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "hmac-sha1/gathering.hpp"
#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/tail.hpp"

namespace hmac_sha1 {

constexpr std::size_t streams = 4;

struct Manager : Gathering {
  Tail tails[streams];
};

namespace {

using Four = __m128i;  // words, the first of them highest
struct Hash {
  Four abcd, e;
};

Four load(const void* bytes) { return _mm_loadu_si128(static_cast<const Four*>(bytes)); }
Four bytes_reversed(Four x) { return _mm_shuffle_epi8(x, _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F)); }
Four words_reversed(Four x) { return _mm_shuffle_epi32(x, 0x1B); }

// Steps 4 * g to 4 * g + 3 of every stream; abcd from before is what the next four need for e.
template <int quarter>
[[gnu::always_inline]] inline void four_steps(int g, Four (&w)[streams][4], Hash (&hash)[streams]) {
#pragma GCC unroll 4
  for (std::size_t s = 0; s < streams; ++s) {
    auto& [abcd, e] = hash[s];
    const Four sum = g == 0 ? _mm_add_epi32(e, w[s][0]) : _mm_sha1nexte_epu32(e, w[s][g % 4]);
    e = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, sum, quarter);
    const Four partial = _mm_xor_si128(_mm_sha1msg1_epu32(w[s][g % 4], w[s][(g + 1) % 4]), w[s][(g + 2) % 4]);
    w[s][g % 4] = _mm_sha1msg2_epu32(partial, w[s][(g + 3) % 4]);  // the schedule's next four words
  }
}

template <int quarter>
[[gnu::always_inline]] inline void twenty_steps(Four (&w)[streams][4], Hash (&hash)[streams]) {
#pragma GCC unroll 5
  for (int g = 5 * quarter; g < 5 * quarter + 5; ++g) four_steps<quarter>(g, w, hash);
}

// A block of each stream; one that is not live keeps its state. (A branch would set the streams apart again.)
void compress(Hash (&state)[streams], Four (&w)[streams][4], const Four (&live)[streams]) {
  Hash hash[streams];
  for (std::size_t s = 0; s < streams; ++s) hash[s] = state[s];
  if constexpr (steps == 0) {
    for (std::size_t s = 0; s < streams; ++s) {
      hash[s].abcd = _mm_add_epi32(_mm_add_epi32(w[s][0], w[s][1]), _mm_add_epi32(w[s][2], w[s][3]));
    }
  } else {
    twenty_steps<0>(w, hash);
    twenty_steps<1>(w, hash);
    twenty_steps<2>(w, hash);
    twenty_steps<3>(w, hash);
  }
  for (std::size_t s = 0; s < streams; ++s) {
    const Four e = steps == 0 ? state[s].e : _mm_sha1nexte_epu32(hash[s].e, state[s].e);
    const Four abcd = _mm_add_epi32(hash[s].abcd, state[s].abcd);
    state[s] = {_mm_blendv_epi8(state[s].abcd, abcd, live[s]), _mm_blendv_epi8(state[s].e, e, live[s])};
  }
}

Four all_if(bool condition) { return _mm_set1_epi32(condition ? -1 : 0); }

Hash hash_from(const State& state) {
  return {words_reversed(load(state.data())), _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0)};
}

State state_of(const Hash& hash) {
  State state;
  const Four abcd = words_reversed(hash.abcd);
  std::memcpy(state.data(), &abcd, sizeof abcd);
  state[4] = static_cast<Word>(_mm_extract_epi32(hash.e, 3));
  return state;
}

// One job a stream; where there are fewer, the first one is in the others, too.
void work_on(Tail (&tails)[streams], std::span<Job* const> jobs) {
  const std::uint8_t *data[streams], *tail[streams];
  Word whole[streams], blocks[streams], longest = 0;
  bool any_key = false;
  std::uint64_t bits[streams];
  Hash inner[streams], outer[streams];
  for (std::size_t s = 0; s < streams; ++s) {
    const Job& job = *jobs[s < jobs.size() ? s : 0];
    data[s] = job.data;
    tail[s] = tails[s].with_end_of(job);
    whole[s] = static_cast<Word>(job.size / block_bytes);
    blocks[s] = blocks_of(job);
    longest = std::max(longest, blocks[s]);
    bits[s] = 8 * (job.size + (job.key ? block_bytes : 0));
    inner[s] = hash_from(job.key ? job.key->inner : initial_state);
    outer[s] = hash_from(job.key ? job.key->outer : initial_state);
    any_key |= job.key != nullptr;
  }

  Four w[streams][4], live[streams];
  for (Word b = 0; b < longest; ++b) {
    for (std::size_t s = 0; s < streams; ++s) {
      const std::uint8_t* const at = b < whole[s] ? data[s] + block_bytes * b : tail[s] + block_bytes * (b > whole[s]);
      for (int i = 0; i < 4; ++i) w[s][i] = bytes_reversed(load(at + 16 * i));
      const std::uint64_t length = b + 1 == blocks[s] ? bits[s] : 0;
      w[s][3] = _mm_or_si128(w[s][3], _mm_set_epi64x(0, static_cast<long long>(length)));
      live[s] = all_if(b < blocks[s]);
    }
    compress(inner, w, live);
  }

  if (any_key) {
    for (std::size_t s = 0; s < streams; ++s) {
      w[s][0] = inner[s].abcd;
      w[s][1] = _mm_or_si128(inner[s].e, _mm_set_epi32(0, INT32_MIN, 0, 0));
      w[s][2] = _mm_setzero_si128();
      w[s][3] = _mm_set_epi64x(0, 8 * (block_bytes + digest_bytes));
      live[s] = all_if(true);
    }
    compress(outer, w, live);
  }

  for (std::size_t s = 0; s < jobs.size(); ++s) {
    State digest = state_of(jobs[s]->key ? outer[s] : inner[s]);
    for (Word& word : digest) word = __builtin_bswap32(word);
    std::memcpy(jobs[s]->digest, digest.data(), jobs[s]->digest_size);
  }
}

State after_pad(const Key& key, std::uint8_t pad) {
  Four w[streams][4] = {};
  for (int i = 0; i < 4; ++i) {
    w[0][i] = _mm_xor_si128(bytes_reversed(load(key.padded.data() + 16 * i)), _mm_set1_epi8(static_cast<char>(pad)));
  }
  Hash states[streams] = {hash_from(initial_state)};
  compress(states, w, {all_if(true)});
  return state_of(states[0]);
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) { prepare(key, bytes, after_pad); }
Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) { return submit<work_on, streams>(manager, job); }
Job* flush(Manager& manager) { return flush<work_on, streams>(manager); }
void batch(Manager& manager, std::span<Job> jobs) { batch<work_on, streams>(manager, jobs); }

}  // namespace hmac_sha1
