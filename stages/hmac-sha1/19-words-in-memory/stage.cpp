// 19 Words in memory: only the last four of each schedule keep a register.
// requires: x86-64 ssse3 sse4.1 sha
// until: x86-64-v3
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

// The compiler sees all the streams go in and come out here, and so cannot do more of one before it does the others.
[[gnu::always_inline]] inline void in_step(Hash (&hash)[streams]) {
  static_assert(streams == 4);
  asm("" : "+x"(hash[0].abcd), "+x"(hash[1].abcd), "+x"(hash[2].abcd), "+x"(hash[3].abcd));
}

// The compiler cannot know what is there now, and keeps no copy of it in a register.
[[gnu::always_inline]] inline void stays_in_memory(Four& words) { asm("" : "+m"(words)); }

// Steps 4 * g to 4 * g + 3 of every stream; abcd from before is what the next four need for e. Of the words in w one
// vector is exchanged: for those of the block, or for the next of the schedule, which are in `last`, too.
template <int quarter>
[[gnu::always_inline]] inline void four_steps(int g, Four (&w)[streams][4], Four (&last)[streams], auto&& words,
                                              Hash (&hash)[streams]) {
#pragma GCC unroll 4
  for (std::size_t s = 0; s < streams; ++s) {
    if (g < 4) {
      last[s] = words(s, g);
    } else {
      const Four partial = _mm_xor_si128(_mm_sha1msg1_epu32(w[s][g % 4], w[s][(g + 1) % 4]), w[s][(g + 2) % 4]);
      last[s] = _mm_sha1msg2_epu32(partial, last[s]);
    }
    w[s][g % 4] = last[s];
    stays_in_memory(w[s][g % 4]);
    auto& [abcd, e] = hash[s];
    const Four sum = g == 0 ? _mm_add_epi32(e, last[s]) : _mm_sha1nexte_epu32(e, last[s]);
    e = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, sum, quarter);
  }
  in_step(hash);
}

template <int quarter>
[[gnu::always_inline]] inline void twenty_steps(Four (&w)[streams][4], Four (&last)[streams], auto&& words,
                                                Hash (&hash)[streams]) {
#pragma GCC unroll 5
  for (int g = 5 * quarter; g < 5 * quarter + 5; ++g) four_steps<quarter>(g, w, last, words, hash);
}

// A block of each stream; one that is not live keeps its state. (A branch would set the streams apart again.)
// `words(s, g)` are words 4 * g to 4 * g + 3 of the block of stream s.
[[gnu::always_inline]] inline void compress(Hash (&state)[streams], auto&& words, const Four (&live)[streams]) {
  Hash hash[streams];
  for (std::size_t s = 0; s < streams; ++s) hash[s] = state[s];
  if constexpr (steps == 0) {
    for (std::size_t s = 0; s < streams; ++s) {
      hash[s].abcd = _mm_add_epi32(_mm_add_epi32(words(s, 0), words(s, 1)), _mm_add_epi32(words(s, 2), words(s, 3)));
    }
  } else {
    Four w[streams][4], last[streams];
    twenty_steps<0>(w, last, words, hash);
    twenty_steps<1>(w, last, words, hash);
    twenty_steps<2>(w, last, words, hash);
    twenty_steps<3>(w, last, words, hash);
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

  const std::uint8_t* at[streams];
  Four ending[streams], live[streams];
  for (Word b = 0; b < longest; ++b) {
    for (std::size_t s = 0; s < streams; ++s) {
      at[s] = b < whole[s] ? data[s] + block_bytes * b : tail[s] + block_bytes * (b > whole[s]);
      ending[s] = _mm_set_epi64x(0, static_cast<long long>(b + 1 == blocks[s] ? bits[s] : 0));
      live[s] = all_if(b < blocks[s]);
    }
    const auto words = [&](std::size_t s, int g) {
      const Four four = bytes_reversed(load(at[s] + 16 * g));
      return g == 3 ? _mm_or_si128(four, ending[s]) : four;
    };
    compress(inner, words, live);
  }

  if (any_key) {
    const auto words = [&](std::size_t s, int g) {
      if (g == 0) return inner[s].abcd;
      if (g == 1) return _mm_or_si128(inner[s].e, _mm_set_epi32(0, INT32_MIN, 0, 0));
      return _mm_set_epi64x(0, g == 2 ? 0 : 8 * (block_bytes + digest_bytes));
    };
    std::fill_n(live, streams, all_if(true));
    compress(outer, words, live);
  }

  for (std::size_t s = 0; s < jobs.size(); ++s) {
    State digest = state_of(jobs[s]->key ? outer[s] : inner[s]);
    for (Word& word : digest) word = __builtin_bswap32(word);
    std::memcpy(jobs[s]->digest, digest.data(), jobs[s]->digest_size);
  }
}

State after_pad(const Key& key, std::uint8_t pad) {
  const auto words = [&](std::size_t, int g) {
    const Four four = bytes_reversed(load(key.padded.data() + 16 * g));
    return _mm_xor_si128(four, _mm_set1_epi8(static_cast<char>(pad)));
  };
  Hash states[streams] = {hash_from(initial_state)};
  compress(states, words, {all_if(true)});
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
