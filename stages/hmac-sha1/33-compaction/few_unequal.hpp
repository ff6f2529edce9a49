// HMAC of a few messages of unequal lengths by the SHA instructions, without streams whose messages have ended.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "hmac-sha1/29-one-two-four-streams/streams_by_count.hpp"

namespace hmac_sha1 {

struct Stream {
  const std::uint8_t *data, *tail;
  Word whole, blocks;
  std::uint64_t bits;
};

// Block b of each stream.
template <std::size_t streams>
struct Blocks {
  [[gnu::always_inline]] Blocks(const Stream* of, Word b) {
    for (std::size_t s = 0; s < streams; ++s) {
      const auto& [data, tail, whole, blocks, bits] = of[s];
      at[s] = b < whole ? data + block_bytes * b : tail + block_bytes * (b > whole);
      ending[s] = _mm_set_epi64x(0, static_cast<long long>(b + 1 == blocks ? bits : 0));
    }
  }

  [[gnu::always_inline]] Four operator()(std::size_t s, int g) const {
    const Four four = bytes_reversed(load_four(at[s] + 16 * g));
    return g == 3 ? _mm_or_si128(four, ending[s]) : four;
  }

  const std::uint8_t* at[streams];
  Four ending[streams];
};

// Blocks from b to `end`. A stream that has fewer keeps its state.
template <std::size_t streams>
[[gnu::always_inline]] static inline void hash_blocks(Hash (&state)[streams], const Stream* of, Word b, Word end,
                                                      auto&& compress) {
  Four live[streams];
  for (; b < end; ++b) {
    for (std::size_t s = 0; s < streams; ++s) live[s] = all_if(b < of[s].blocks);
    compress(state, Blocks<streams>(of, b), live);
  }
}

// Blocks from b on. The first half of the streams ends first, because they are sorted. This is a function of its own,
// so that GCC allocates registers again for each number of streams.
template <std::size_t streams>
[[gnu::noinline]] static void hash_rest(Hash* states, const Stream* of, Word b, auto&& compress) {
  Hash state[streams];
  std::copy_n(states, streams, state);
  const Word end = of[(streams - 1) / 2].blocks;
  hash_blocks(state, of, b, end, compress);
  std::copy_n(state, streams, states);
  constexpr std::size_t half = streams / 2;
  if constexpr (half != 0) hash_rest<half>(states + half, of + half, end, compress);
}

// One job a stream. Returns whether any of them has a key.
template <std::size_t streams>
[[gnu::always_inline]] static inline bool begin_streams(Stream (&of)[streams], Hash (&inner)[streams],
                                                        Hash (&outer)[streams], Tail (&tails)[streams],
                                                        Job* const* jobs) {
  bool any_key = false;
  for (std::size_t s = 0; s < streams; ++s) {
    const Job& job = *jobs[s];
    of[s].data = job.data;
    of[s].tail = tails[s].with_end_of(job);
    of[s].whole = static_cast<Word>(job.size / block_bytes);
    of[s].blocks = static_cast<Word>(blocks_of(job));
    of[s].bits = 8 * (job.size + (job.key ? block_bytes : 0));
    inner[s] = hash_from(job.key ? job.key->inner : initial_state);
    outer[s] = hash_from(job.key ? job.key->outer : initial_state);
    any_key |= job.key != nullptr;
  }
  return any_key;
}

// The outer hash: hashes the inner digests. `compress` takes `all` as `live`, because every stream is live.
template <std::size_t streams>
[[gnu::always_inline]] static inline void hash_inner(Hash (&outer)[streams], const Hash (&inner)[streams],
                                                     auto&& compress, const auto& all) {
  const auto words = [&](std::size_t s, int g) {
    if (g == 0) return inner[s].abcd;
    if (g == 1) return _mm_or_si128(inner[s].e, _mm_set_epi32(0, INT32_MIN, 0, 0));
    return _mm_set_epi64x(0, g == 2 ? 0 : 8 * (block_bytes + digest_bytes));
  };
  compress(outer, words, all);
}

template <std::size_t streams>
[[gnu::always_inline]] static inline void store_digests(Job* const* jobs, const Hash (&inner)[streams],
                                                        const Hash (&outer)[streams]) {
  for (std::size_t s = 0; s < streams; ++s) {
    State digest = state_of(jobs[s]->key ? outer[s] : inner[s]);
    for (Word& word : digest) word = __builtin_bswap32(word);
    std::memcpy(jobs[s]->digest, digest.data(), jobs[s]->digest_size);
  }
}

// The shortest job first. The same job may be there twice.
template <std::size_t streams>
static inline void hash_unequal(Tail (&tails)[streams], Job* const* jobs, auto&& compress) {
  Stream of[streams];
  Hash inner[streams], outer[streams];
  const bool any_key = begin_streams(of, inner, outer, tails, jobs);
  constexpr std::size_t half = streams / 2;
  const Word end = of[half - 1].blocks;
  hash_blocks(inner, of, 0, end, compress);
  if (end < of[streams - 1].blocks) hash_rest<half>(inner + half, of + half, end, compress);
  if (any_key) {
    Four all[streams];
    std::fill_n(all, streams, all_if(true));
    hash_inner(outer, inner, compress, all);
  }
  store_digests(jobs, inner, outer);
}

// Sorted jobs. Among many, those of a group are about equal.
template <class Barriers>
class FewUnequal {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    if (summary.same_length || jobs.size() > 32) return streams_(jobs, summary);
    const std::size_t over = jobs.size() % 4;
    if (over == 3) {
      Job* const padded[] = {jobs[0], jobs[0], jobs[1], jobs[2]};
      hash_unequal(tails_, padded, Compress<Barriers>{});
    } else if (over != 0) {
      streams_(jobs.first(over), summary);
    }
    for_each_group<4>(jobs.subspan(over),
                      [&](std::span<Job* const> group) { hash_unequal(tails_, group.data(), Compress<Barriers>{}); });
  }

 private:
  StreamsByCount<Barriers> streams_;
  Tail tails_[4];
};

}  // namespace hmac_sha1
