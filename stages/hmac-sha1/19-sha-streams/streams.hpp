// HMAC of a group of messages by the SHA instructions, one message a stream.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "hmac-sha1/05-sha-instructions/sha.hpp"
#include "hmac-sha1/15-counting-sort/groups.hpp"
#include "hmac-sha1/18-padding-in-lanes/tail.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// The steps that follow need upper halves that are clear, and compilers copy with wide registers.
template <std::size_t streams>
[[gnu::always_inline]] static inline void copy(Hash (&to)[streams], const Hash (&from)[streams]) {
  for (std::size_t s = 0; s < streams; ++s) to[s] = from[s];
  clear_upper_halves();
}

// The state after a block. A stream that is not live keeps its state; a branch would make the streams run one by one.
template <std::size_t streams>
[[gnu::always_inline]] static inline void add(Hash (&state)[streams], const Hash (&hash)[streams],
                                              const Four (&live)[streams]) {
  for (std::size_t s = 0; s < streams; ++s) {
    const Four e = _mm_sha1nexte_epu32(hash[s].e, state[s].e);
    const Four abcd = _mm_add_epi32(hash[s].abcd, state[s].abcd);
    state[s] = {_mm_blendv_epi8(state[s].abcd, abcd, live[s]), _mm_blendv_epi8(state[s].e, e, live[s])};
  }
}

static inline Four all_if(bool condition) { return _mm_set1_epi32(condition ? -1 : 0); }

// One job a stream. Streams without a job repeat the first one. `compress(state, words, live)` compresses a block of
// each stream. `words(s, g)` are words 4 * g to 4 * g + 3 of the block of stream s.
template <std::size_t streams>
static inline void hash_group(Tail (&tails)[streams], std::span<Job* const> jobs, auto&& compress) {
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
    blocks[s] = static_cast<Word>(blocks_of(job));
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
    const auto block = [&](std::size_t s, int g) {
      const Four four = bytes_reversed(load_four(at[s] + 16 * g));
      return g == 3 ? _mm_or_si128(four, ending[s]) : four;
    };
    compress(inner, block, live);
  }

  if (any_key) {
    const auto block = [&](std::size_t s, int g) {
      if (g == 0) return inner[s].abcd;
      if (g == 1) return _mm_or_si128(inner[s].e, _mm_set_epi32(0, INT32_MIN, 0, 0));
      return _mm_set_epi64x(0, g == 2 ? 0 : 8 * (block_bytes + digest_bytes));
    };
    std::fill_n(live, streams, all_if(true));
    compress(outer, block, live);
  }

  for (std::size_t s = 0; s < jobs.size(); ++s) {
    State digest = state_of(jobs[s]->key ? outer[s] : inner[s]);
    for (Word& word : digest) word = __builtin_bswap32(word);
    std::memcpy(jobs[s]->digest, digest.data(), jobs[s]->digest_size);
  }
}

static inline State after_pad(const Key& key, std::uint8_t pad, auto&& compress) {
  const auto block = [&](std::size_t, int g) {
    const Four four = bytes_reversed(load_four(key.padded.data() + 16 * g));
    return _mm_xor_si128(four, _mm_set1_epi8(static_cast<char>(pad)));
  };
  Hash states[4] = {hash_from(initial_state)};
  const Four live[4] = {all_if(true)};
  compress(states, block, live);
  return state_of(states[0]);
}

template <class Compress, std::size_t streams = 4>
class StreamProcessor {
 public:
  void operator()(std::span<Job* const> jobs, const auto& /*summary*/) {
    for_each_group<streams>(jobs, [&](std::span<Job* const> group) { hash_group(tails_, group, Compress{}); });
  }

 private:
  Tail tails_[streams];
};

}  // namespace hmac_sha1
