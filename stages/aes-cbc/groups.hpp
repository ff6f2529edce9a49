// What stages 12 and 13 came to, for stages 14 to 17: groups of jobs with a key each, whose round keys are laid out.
#pragma once

#include <algorithm>
#include <utility>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/lines.hpp"

namespace aes_cbc {

constexpr unsigned few_vectors = 2;                   // for short buffers
constexpr unsigned vectors = 4, width = 4 * vectors;  // lanes: buffers that are worked on side by side

constexpr std::size_t worth_it = 4 * line_bytes;  // from so long on a group goes from border to border

enum class Ends { together, apart };  // of the buffers in a group
template <unsigned vectors>
using RoundKeys = Vector[rounds + 1][vectors];

template <unsigned vectors>
[[gnu::always_inline]] static inline void lay_out(RoundKeys<vectors>& round_keys, Job* const* jobs) {
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
#pragma GCC unroll 3
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

// `round_key(v, round)` is the round key of vector v.
template <unsigned vectors>
[[gnu::always_inline]] static inline void encrypt(Vector (&blocks)[vectors], auto&& round_key) {
  if (!with_kernel) return;
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
template <unsigned blocks, Ends ends, unsigned vectors>
[[gnu::always_inline]] static inline void encrypt(Job* const* jobs, std::size_t offset,
                                                  const RoundKeys<vectors>& round_keys, Vector (&chained)[vectors]) {
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
    encrypt(chained, [&](unsigned v, unsigned round) { return round_keys[round][v]; });
    forget_what_was_loaded();
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

template <unsigned vectors>
[[gnu::always_inline]] static inline void encrypt_few(Job* const* jobs, std::size_t offset, std::size_t size,
                                                      const RoundKeys<vectors>& round_keys,
                                                      Vector (&chained)[vectors]) {
  if (size == 1 * block_bytes) encrypt<1, Ends::together>(jobs, offset, round_keys, chained);
  if (size == 2 * block_bytes) encrypt<2, Ends::together>(jobs, offset, round_keys, chained);
  if (size == 3 * block_bytes) encrypt<3, Ends::together>(jobs, offset, round_keys, chained);
}

template <unsigned vectors>
[[gnu::always_inline]] static inline void load_ivs(Vector (&chained)[vectors], Job* const* jobs) {
  const auto iv = [&](unsigned lane) { return jobs[lane]->iv; };
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) chained[v] = join(iv(4 * v), iv(4 * v + 1), iv(4 * v + 2), iv(4 * v + 3));
}

// As many jobs as there are lanes, least first. Lanes mostly lie alike: the first one speaks for all.
static inline void encrypt_group(const RoundKeys<vectors>& round_keys, Job* const* jobs) {
  Vector chained[vectors];
  load_ivs(chained, jobs);
  const std::size_t least = jobs[0]->size, most = jobs[width - 1]->size;
  std::size_t offset = 0;
  if (least >= worth_it) {
    offset = -reinterpret_cast<std::uintptr_t>(jobs[0]->out) % line_bytes / block_bytes * block_bytes;
    encrypt_few(jobs, 0, offset, round_keys, chained);
  }
  for (; offset + line_bytes <= least; offset += line_bytes) {
    encrypt<4, Ends::together>(jobs, offset, round_keys, chained);
  }
  if (least == most) return encrypt_few(jobs, offset, most - offset, round_keys, chained);
  for (; offset < most; offset += line_bytes) encrypt<4, Ends::apart>(jobs, offset, round_keys, chained);
}

// Eight jobs of at most a line, least first.
static inline void encrypt_short(Job* const* jobs) {
  Vector chained[few_vectors];
  RoundKeys<few_vectors> round_keys;
  lay_out(round_keys, jobs);
  load_ivs(chained, jobs);
  const std::size_t least = jobs[0]->size, most = jobs[4 * few_vectors - 1]->size;
  if (least != most) return encrypt<4, Ends::apart>(jobs, 0, round_keys, chained);
  if (most == line_bytes) return encrypt<4, Ends::together>(jobs, 0, round_keys, chained);
  encrypt_few(jobs, 0, most, round_keys, chained);
}

// Groups that begin with `first` and go on with `jobs`, each with its keys laid out.
static inline void encrypt_with_keys(RoundKeys<vectors>& round_keys, Job* const* first, Job* const* jobs,
                                     Job* const* end) {
  for (Job* const* group = first;; group = std::exchange(jobs, jobs + width)) {
    if (group[width - 1]->size <= line_bytes) {
      for (unsigned lane = 0; lane < width; lane += 4 * few_vectors) encrypt_short(group + lane);
    } else {
      lay_out(round_keys, group);
      encrypt_group(round_keys, group);
    }
    if (jobs == end) return;
  }
}

}  // namespace aes_cbc
