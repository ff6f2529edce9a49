// 16 Fewer loads: one offset serves all lanes, and the round keys of long buffers lie side by side, so that pointers
// stay in registers.
// requires: aes
// until: x86-64-v3
// variants: no-kernel
#include <algorithm>
#include <array>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/gathering.hpp"
#include "aes-cbc/jobs.hpp"
#include "aes-cbc/one_block.hpp"

namespace aes_cbc {

struct Manager : Gathering {};

namespace {

constexpr unsigned width = 8;          // lanes: buffers that are worked on side by side
constexpr std::size_t worth_it = 512;  // bytes: from so long on the round keys of a group are laid out

std::uint8_t nothing[block_bytes];  // a buffer for empty jobs

enum class Keys { one_each, one_for_all };

// A job in every lane, all of which began together: one offset serves them, and no pointer moves.
struct Group {
  const Job* jobs[width];
  Vector chained[width];
};

// `first` are the round keys of the sum before the first round.
[[gnu::always_inline]] inline void encrypt(Vector (&blocks)[width], const Vector (&first)[width], auto&& round_key) {
  if (!with_kernel) return;
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) blocks[lane] ^= first[lane];
#ifdef __clang__  // which puts one lane after the other where it sees all rounds at once
#pragma clang loop unroll_count(2)
#endif
  for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = _mm_aesenc_si128(blocks[lane], round_key(lane, round));
  }
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) {
    blocks[lane] = _mm_aesenclast_si128(blocks[lane], round_key(lane, rounds));
  }
}

// Every lane from `done` on, up to `end`. `round_key(lane, round)` is the key of a round.
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

// Round keys in one table are found without a pointer for each lane.
void encrypt_with_keys_laid_out(Group& group, std::size_t end) {
  Vector round_keys[rounds + 1][width];
  for (unsigned lane = 0; lane < width; ++lane) {
    const Key& key = *group.jobs[lane]->key;
    for (unsigned round = 0; round <= rounds; ++round) round_keys[round][lane] = load(&key.encrypting[round]);
  }
  encrypt(group, 0, end, [&](unsigned lane, unsigned round) { return round_keys[round][lane]; });
}

// As many jobs as there are lanes, least first: lanes that have ended go along with the shortest of the others.
template <Keys keys>
void encrypt_group(Job* const* jobs) {
  Group group;
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) {
    group.jobs[lane] = jobs[lane], group.chained[lane] = load(jobs[lane]->iv);
  }
  std::size_t done = 0;
  if (keys == Keys::one_each && jobs[0]->size >= worth_it) {
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

// Where the lanes cannot all be filled, in the first group, empty jobs are in the others.
template <Keys keys>
void encrypt_sorted(Job* const* jobs, std::size_t count) {
  if (const std::size_t few = count % width; few != 0) {
    Job empty{nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting};
    std::array<Job*, width> group;
    group.fill(&empty);
    std::copy_n(jobs, few, group.end() - few);
    encrypt_group<keys>(group.data());
    jobs += few, count -= few;
  }
  for (std::size_t i = 0; i < count; i += width) encrypt_group<keys>(jobs + i);
}

void encrypt_gathered(Job* const* jobs, std::size_t count, bool shared) {
  (shared ? encrypt_sorted<Keys::one_for_all> : encrypt_sorted<Keys::one_each>)(jobs, count);
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem(); }

Job* submit(Manager& manager, Job& job) { return manager.submit(job, encrypt_gathered); }
Job* flush(Manager& manager) { return manager.flush(encrypt_gathered); }
void batch(Manager& manager, std::span<Job> jobs) { manager.batch(jobs, encrypt_gathered); }

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
