// Encrypts sorted jobs in eight lanes that share one offset. Long buffers have their round keys laid out.
#pragma once

#include <span>

#include "aes-cbc/02-aes-instructions/one_block.hpp"
#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned width = 8;                  // buffers whose rounds are interleaved
constexpr std::size_t worth_laying_out = 512;  // bytes: the round keys of groups of at least this length are laid out

enum class Keys { one_each, one_for_all };

// A job in every lane. All began together, so one offset serves them, and no pointer moves.
struct Group {
  const Job* jobs[width];
  Vector chained[width];
};

// `first` are the round keys that are added before the first round.
[[gnu::always_inline]] inline void encrypt(Vector (&blocks)[width], const Vector (&first)[width], auto&& round_key) {
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = add_key(blocks[lane], first[lane]);
#ifdef __clang__  // it would put one lane after another if it saw all rounds at once
#pragma clang loop unroll_count(2)
#endif
  for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = encrypt_round(blocks[lane], round_key(lane, round));
  }
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) {
    blocks[lane] = encrypt_last_round(blocks[lane], round_key(lane, rounds));
  }
}

// Every lane from `done` to `end`. `round_key(lane, round)` is the key of a round.
[[gnu::always_inline]] inline void encrypt(Group& group, std::size_t done, std::size_t end, auto&& round_key) {
  const std::uint8_t* in[width];
  std::uint8_t* out[width];
  Vector blocks[width], first[width];
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) {
    in[lane] = group.jobs[lane]->in, out[lane] = group.jobs[lane]->out;
    blocks[lane] = group.chained[lane], first[lane] = round_key(lane, 0);
  }
  for (; done < end; done += block_bytes) {
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) blocks[lane] ^= load(in[lane] + done);
    encrypt(blocks, first, round_key);
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) store(out[lane] + done, blocks[lane]);
  }
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) group.chained[lane] = blocks[lane];
}

template <Keys keys>
void encrypt(Group& group, std::size_t done, std::size_t end) {
  const Key* key[width];
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) key[lane] = group.jobs[keys == Keys::one_for_all ? 0 : lane]->key;
  encrypt(group, done, end, [&](unsigned lane, unsigned round) { return load(&key[lane]->encrypting[round]); });
}

// Round keys in one table need no pointer for each lane.
static inline void encrypt_with_keys_laid_out(Group& group, std::size_t end) {
  Vector round_keys[rounds + 1][width];
  for (unsigned lane = 0; lane < width; ++lane) {
    const Key& key = *group.jobs[lane]->key;
    for (unsigned round = 0; round <= rounds; ++round) round_keys[round][lane] = load(&key.encrypting[round]);
  }
  encrypt(group, 0, end, [&](unsigned lane, unsigned round) { return round_keys[round][lane]; });
}

// As many jobs as there are lanes, shortest first. Lanes that have ended repeat the shortest of the others.
template <Keys keys>
void encrypt_group(Job* const* jobs) {
  Group group;
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) {
    group.jobs[lane] = jobs[lane], group.chained[lane] = load(jobs[lane]->iv);
  }
  std::size_t done = 0;
  if (keys == Keys::one_each && jobs[0]->size >= worth_laying_out) {
    done = jobs[0]->size;
    encrypt_with_keys_laid_out(group, done);
  }
  for (unsigned lane = 0; lane < width; ++lane) {
    if (jobs[lane]->size == done) continue;
    for (unsigned ended = 0; ended < lane; ++ended) {
      group.jobs[ended] = jobs[lane], group.chained[ended] = group.chained[lane];
    }
    encrypt<keys>(group, done, jobs[lane]->size);
    done = jobs[lane]->size;
  }
}

struct Processor {
  void operator()(std::span<Job* const> jobs, const Summary& summary) const {
    const Groups<width> groups(jobs);
    if (summary.same_key) {
      groups.for_each(encrypt_group<Keys::one_for_all>);
    } else {
      groups.for_each(encrypt_group<Keys::one_each>);
    }
  }
};

}  // namespace aes_cbc
