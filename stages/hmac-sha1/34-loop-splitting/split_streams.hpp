// HMAC of a group of messages by the SHA instructions, in two loops: the first ends with the shortest message, and has
// no masks.
#pragma once

#include <span>

#include "hmac-sha1/33-compaction/few_unequal.hpp"

namespace hmac_sha1 {

struct AllLive {};

template <class Barriers>
struct CompressAll : Compress<Barriers> {
  using Compress<Barriers>::operator();

  template <std::size_t streams>
  [[gnu::always_inline]] void operator()(Hash (&state)[streams], auto&& words, AllLive) const {
    Hash hash[streams];
    Barriers::copy(hash, state);
    eighty_steps(words, hash, Barriers{});
    for (std::size_t s = 0; s < streams; ++s) {
      state[s].e = _mm_sha1nexte_epu32(hash[s].e, state[s].e);
      state[s].abcd = _mm_add_epi32(hash[s].abcd, state[s].abcd);
    }
  }
};

// The shortest job first. The same job may be there twice.
template <std::size_t streams>
static inline void hash_split(Tail (&tails)[streams], Job* const* jobs, auto&& compress) {
  Stream of[streams];
  Hash inner[streams], outer[streams];
  const bool any_key = begin_streams(of, inner, outer, tails, jobs);
  const Word shortest = of[0].blocks;
  for (Word b = 0; b < shortest; ++b) compress(inner, Blocks<streams>(of, b), AllLive{});
  if (shortest < of[streams - 1].blocks) hash_rest<streams>(inner, of, shortest, compress);
  if (any_key) hash_inner(outer, inner, compress, AllLive{});
  store_digests(jobs, inner, outer);
}

// Sorted jobs.
template <class Barriers>
class SplitStreams {
 public:
  void operator()(std::span<Job* const> jobs, const auto& /*summary*/) {
    const std::size_t over = jobs.size() % 4;
    if (over == 1) hash_split(one_, jobs.data(), compress_);
    if (over == 2) hash_split(two_, jobs.data(), compress_);
    if (over == 3) {
      Job* const padded[] = {jobs[0], jobs[0], jobs[1], jobs[2]};
      hash_split(four_, padded, compress_);
    }
    for_each_group<4>(jobs.subspan(over),
                      [&](std::span<Job* const> group) { hash_split(four_, group.data(), compress_); });
  }

 private:
  static constexpr CompressAll<Barriers> compress_{};
  Tail one_[1], two_[2], four_[4];
};

}  // namespace hmac_sha1
