// 12 From line to line: long buffers begin with as few blocks as bring the lanes to where a line of the cache begins.
// requires: x86-64-v4 vaes
#include <immintrin.h>

#include <algorithm>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/gathering.hpp"
#include "aes-cbc/jobs.hpp"
#include "aes-cbc/lines.hpp"

namespace aes_cbc {
namespace {

constexpr unsigned vectors = 4, width = 4 * vectors;  // lanes: buffers that are worked on side by side

constexpr std::size_t worth_it = 4 * line_bytes;
std::uint8_t nothing[line_bytes];  // a buffer for empty jobs

enum class Keys { one_each, one_for_all };
enum class Ends { together, apart };            // of the buffers in a group
using RoundKeys = Vector[rounds + 1][vectors];  // of one key for all in the first column alone

}  // namespace

struct Manager {
  RoundKeys round_keys;
  Gathering gathering;
};

namespace {

template <Keys keys>
void lay_out(RoundKeys& round_keys, Job* const* jobs) {
  if (keys == Keys::one_for_all) {
    for (unsigned round = 0; round <= rounds; ++round) round_keys[round][0] = repeat(&jobs[0]->key->encrypting[round]);
    return;
  }
  for (unsigned v = 0; v < vectors; ++v) {
    for (const unsigned round : {0, 4, 7}) {  // 7 twice: 11 are no multiple of 4
      Vector x[4];
#pragma GCC unroll 4
      for (unsigned i = 0; i < 4; ++i) x[i] = load_once(&jobs[4 * v + i]->key->encrypting[round]);
      transpose(x);
#pragma GCC unroll 4
      for (unsigned i = 0; i < 4; ++i) round_keys[round + i][v] = x[i];
    }
  }
}

template <Keys keys>
[[gnu::always_inline]] inline void encrypt(Vector (&blocks)[vectors], const RoundKeys& round_keys) {
  const auto round_key = [&](unsigned v, unsigned round) {
    return round_keys[round][keys == Keys::one_for_all ? 0 : v];
  };
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) blocks[v] ^= round_key(v, 0);
#pragma GCC unroll 9
  for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) blocks[v] = _mm512_aesenc_epi128(blocks[v], round_key(v, round));
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) blocks[v] = _mm512_aesenclast_epi128(blocks[v], round_key(v, rounds));
}

// So many blocks of every lane; where buffers end apart, as many of them as there are.
template <Keys keys, unsigned blocks, Ends ends>
[[gnu::always_inline]] inline void encrypt(Job* const* jobs, std::size_t offset, const RoundKeys& round_keys,
                                           Vector (&chained)[vectors]) {
  const auto mask_of = [&](unsigned lane) {
    const std::size_t size = jobs[lane]->size;
    return ends == Ends::apart ? mask(size - std::min(size, offset)) : mask(blocks * block_bytes);
  };
  // A lane that has ended goes back to where it began, though no word of it is touched: there is memory for sure.
  const auto place_of = [&](unsigned lane) { return ends == Ends::apart && offset >= jobs[lane]->size ? 0 : offset; };
  Vector x[vectors][4];
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned lane = 4 * v + i;
      x[v][i] = load_once(jobs[lane]->in + place_of(lane), mask_of(lane));
    }
    transpose(x[v]);
  }
#pragma GCC unroll 4
  for (unsigned block = 0; block < blocks; ++block) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) chained[v] ^= x[v][block];
    encrypt<keys>(chained, round_keys);
    if (keys == Keys::one_each) forget_what_was_loaded();
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) x[v][block] = chained[v];
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
    transpose(x[v]);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned lane = 4 * v + i;
      store(jobs[lane]->out + place_of(lane), x[v][i], mask_of(lane));
    }
  }
}

template <Keys keys>
[[gnu::always_inline]] inline void encrypt_few(Job* const* jobs, std::size_t offset, std::size_t size,
                                               const RoundKeys& round_keys, Vector (&chained)[vectors]) {
  if (size == 1 * block_bytes) encrypt<keys, 1, Ends::together>(jobs, offset, round_keys, chained);
  if (size == 2 * block_bytes) encrypt<keys, 2, Ends::together>(jobs, offset, round_keys, chained);
  if (size == 3 * block_bytes) encrypt<keys, 3, Ends::together>(jobs, offset, round_keys, chained);
}

// As many jobs as there are lanes, least first. Lanes mostly lie alike: the first one speaks for all.
template <Keys keys>
void encrypt_group(const RoundKeys& round_keys, Job* const* jobs) {
  const auto iv = [&](unsigned lane) { return jobs[lane]->iv; };
  Vector chained[vectors];
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) chained[v] = join(iv(4 * v), iv(4 * v + 1), iv(4 * v + 2), iv(4 * v + 3));
  const std::size_t least = jobs[0]->size, most = jobs[width - 1]->size;
  std::size_t offset = 0;
  if (least >= worth_it) {
    offset = -reinterpret_cast<std::uintptr_t>(jobs[0]->out) % line_bytes / block_bytes * block_bytes;
    encrypt_few<keys>(jobs, 0, offset, round_keys, chained);
  }
  for (; offset + line_bytes <= least; offset += line_bytes) {
    encrypt<keys, 4, Ends::together>(jobs, offset, round_keys, chained);
  }
  if (least == most) return encrypt_few<keys>(jobs, offset, most - offset, round_keys, chained);
  for (; offset < most; offset += line_bytes) encrypt<keys, 4, Ends::apart>(jobs, offset, round_keys, chained);
}

// Where the lanes cannot all be filled, in the first group, empty jobs are in the others.
template <Keys keys>
void encrypt_sorted(RoundKeys& round_keys, Job* const* jobs, std::size_t count) {
  if (keys == Keys::one_for_all) lay_out<keys>(round_keys, jobs);
  const auto encrypt = [&](Job* const* group) {
    if (keys == Keys::one_each) lay_out<keys>(round_keys, group);
    encrypt_group<keys>(round_keys, group);
  };
  if (const std::size_t few = count % width; few != 0) {
    Job empty{nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting};
    std::array<Job*, width> group;
    group.fill(&empty);
    std::copy_n(jobs, few, group.end() - few);
    encrypt(group.data());
    jobs += few, count -= few;
  }
  for (std::size_t i = 0; i < count; i += width) encrypt(jobs + i);
}

auto encrypt_with(Manager& manager) {
  return [&](Job* const* jobs, std::size_t count, bool shared) {
    (shared ? encrypt_sorted<Keys::one_for_all> : encrypt_sorted<Keys::one_each>)(manager.round_keys, jobs, count);
  };
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.gathering.problem(); }

Job* submit(Manager& manager, Job& job) { return manager.gathering.submit(job, encrypt_with(manager)); }
Job* flush(Manager& manager) { return manager.gathering.flush(encrypt_with(manager)); }
void batch(Manager& manager, std::span<Job> jobs) { manager.gathering.batch(jobs, encrypt_with(manager)); }

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
