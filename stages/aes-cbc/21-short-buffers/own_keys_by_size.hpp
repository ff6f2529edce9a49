// Encrypts groups whose jobs have a key each. Short buffers go in groups of eight, whose round keys stay in registers.
#pragma once

#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/17-transposed-keys/group.hpp"
#include "aes-cbc/20-aligned-lines/group.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned few_vectors = 2, few_lanes = 4 * few_vectors;  // for short buffers

// Eight jobs of at most a line, shortest first.
static inline void encrypt_short(Job* const* jobs) {
  FourBlocks chained[few_vectors];
  RoundKeys<few_vectors> round_keys;
  TransposedKeys::lay_out(round_keys, jobs);
  load_ivs(chained, jobs);
  const auto round_key = [&](unsigned v, unsigned round) { return own_key(round_keys, v, round); };
  const std::size_t shortest = jobs[0]->size, longest = jobs[few_lanes - 1]->size;
  if (shortest != longest) return encrypt<4, Ends::apart>(jobs, 0, round_key, chained);
  if (longest == line_bytes) return encrypt<4, Ends::together>(jobs, 0, round_key, chained);
  encrypt_few(jobs, 0, longest, round_key, chained);
}

template <class Lines>
struct OwnKeysBySizeWith {
  static void encrypt(RoundKeys<vectors>& round_keys, const Groups<width>& groups) {
    const auto round_key = [&](unsigned v, unsigned round) { return own_key(round_keys, v, round); };
    groups.for_each([&](Job* const* group) {
      if (group[width - 1]->size <= line_bytes) {
        for (unsigned lane = 0; lane < width; lane += few_lanes) encrypt_short(group + lane);
      } else {
        Lines::lay_out(round_keys, group);
        Lines::encrypt_group(group, round_key);
      }
    });
  }
};

using OwnKeysBySize = OwnKeysBySizeWith<AlignedLines>;

}  // namespace aes_cbc
