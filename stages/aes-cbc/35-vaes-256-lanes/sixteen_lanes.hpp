// Encrypts sorted jobs in sixteen lanes by VAES. A vector has a block of each of two jobs.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <span>

#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/32-rest-by-count/by_count.hpp"
#include "aes-cbc/34-vaes-256/decrypt.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned vectors = 8;  // that are interleaved
constexpr unsigned lanes = 2 * vectors;
constexpr std::size_t worth_pairing = 8 * block_bytes;  // shorter jobs with a key each are faster in eight lanes

static inline TwoBlocks load_pair(const void* lower, const void* upper) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(load(lower)), load(upper), 1);
}

static inline void store_pair(void* lower, void* upper, TwoBlocks blocks) {
  store(lower, _mm256_castsi256_si128(blocks));
  store(upper, _mm256_extracti128_si256(blocks, 1));
}

// The round keys of each pair of jobs are laid out as vectors.
class PairedKeys {
 public:
  explicit PairedKeys(const Job* const* jobs) {
    for (unsigned v = 0; v < vectors; ++v) {
      const Key &lower = *jobs[2 * v]->key, &upper = *jobs[2 * v + 1]->key;
#pragma GCC unroll 11
      for (unsigned round = 0; round <= rounds; ++round) {
        keys_[round][v] = load_pair(&lower.encrypting[round], &upper.encrypting[round]);
      }
    }
  }

  TwoBlocks operator()(unsigned v, unsigned round) const { return keys_[round][v]; }

 private:
  TwoBlocks keys_[rounds + 1][vectors];
};

// One key for all jobs is repeated in both halves of a vector.
class RepeatedKey {
 public:
  explicit RepeatedKey(const Job* const* jobs) : key_(*jobs[0]->key) {}
  TwoBlocks operator()(unsigned /*v*/, unsigned round) const { return repeat(&key_.encrypting[round]); }

 private:
  const Key& key_;
};

// As many jobs as there are lanes, shortest first. Lanes that have ended read and write where the longest does.
template <class RoundKeys>
class PairedGroup {
 public:
  explicit PairedGroup(Job* const* jobs) : round_key_(jobs) {
    std::copy_n(jobs, lanes, jobs_);
    for (unsigned v = 0; v < vectors; ++v) chained_[v] = load_pair(jobs[2 * v]->iv, jobs[2 * v + 1]->iv);
  }

  // From `done` to `end`.
  void encrypt(std::size_t done, std::size_t end) {
    const std::uint8_t* in[lanes];
    for (unsigned lane = 0; lane < lanes; ++lane) in[lane] = jobs_[lane]->in;
    encrypt_blocks(done, end,
                   [&](unsigned v, std::size_t at) { return load_pair(in[2 * v] + at, in[2 * v + 1] + at); });
  }

  // The longest job is in the last lane, which is stored last: what this lane writes there does not stay.
  void end(unsigned lane) { jobs_[lane] = jobs_[lanes - 1]; }

 protected:
  const Job& job(unsigned lane) const { return *jobs_[lane]; }

  // `input(v, done)` gives a block of each of two jobs.
  [[gnu::always_inline]] void encrypt_blocks(std::size_t done, std::size_t end, auto&& input) {
    std::uint8_t* out[lanes];
    TwoBlocks blocks[vectors];
    for (unsigned lane = 0; lane < lanes; ++lane) out[lane] = jobs_[lane]->out;
#pragma GCC unroll 8
    for (unsigned v = 0; v < vectors; ++v) blocks[v] = chained_[v];
    for (; done < end; done += block_bytes) {
#pragma GCC unroll 8
      for (unsigned v = 0; v < vectors; ++v) {
        blocks[v] = add_key(blocks[v] ^ input(v, done), round_key_(v, 0));
      }
#pragma GCC unroll 9
      for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 8
        for (unsigned v = 0; v < vectors; ++v) blocks[v] = encrypt_round(blocks[v], round_key_(v, round));
      }
#pragma GCC unroll 8
      for (unsigned v = 0; v < vectors; ++v) {
        blocks[v] = encrypt_last_round(blocks[v], round_key_(v, rounds));
        store_pair(out[2 * v] + done, out[2 * v + 1] + done, blocks[v]);
      }
    }
#pragma GCC unroll 8
    for (unsigned v = 0; v < vectors; ++v) chained_[v] = blocks[v];
  }

 private:
  const Job* jobs_[lanes];
  TwoBlocks chained_[vectors];
  RoundKeys round_key_;
};

template <class Group>
void encrypt_group(Job* const* jobs) {
  Group group(jobs);
  std::size_t done = 0;
  unsigned ended = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (jobs[lane]->size == done) continue;
    for (; ended < lane; ++ended) group.end(ended);
    group.encrypt(done, jobs[lane]->size);
    done = jobs[lane]->size;
  }
}

struct Paired {
  template <class RoundKeys>
  static void encrypt(Job* const* jobs) {
    encrypt_group<PairedGroup<RoundKeys>>(jobs);
  }
};

// Shortest first. Jobs that are too short, and a rest of up to eight, take fewer lanes. A later stage has groups of
// its own.
template <class Grouped = Paired>
class SixteenLanes {
 public:
  void operator()(std::span<Job* const> jobs, const Summary& summary) const {
    const auto too_short = [&](const Job* job) { return !summary.same_key && job->size < worth_pairing; };
    std::size_t fewer = std::ranges::partition_point(jobs, too_short) - jobs.begin();
    const std::size_t rest = (jobs.size() - fewer) % lanes;
    if (rest <= width) fewer += rest;
    eight_lanes_(jobs.first(fewer), summary);
    jobs = jobs.subspan(fewer);
    if (jobs.empty()) return;
    const Groups<lanes> groups(jobs);
    if (summary.same_key) {
      groups.for_each(Grouped::template encrypt<RepeatedKey>);
    } else {
      groups.for_each(Grouped::template encrypt<PairedKeys>);
    }
  }

 private:
  ByCount eight_lanes_;
};

}  // namespace aes_cbc
