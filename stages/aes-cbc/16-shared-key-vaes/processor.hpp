// Encrypts sorted jobs in sixteen lanes. If they share a key, one vector of each round key serves all lanes.
#pragma once

#include <span>

#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/14-vaes-decryption/four_blocks.hpp"
#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

template <class Group>
struct SharedKey {
  static void encrypt(const Groups<width>& groups, const Key& key) {
    FourBlocks round_keys[rounds + 1];
    for (unsigned round = 0; round <= rounds; ++round) round_keys[round] = repeat(&key.encrypting[round]);
    const auto round_key = [&](unsigned, unsigned round) { return round_keys[round]; };
    groups.for_each([&](Job* const* group) { Group::encrypt_group(group, round_key); });
  }
};

// `Shared` encrypts groups whose jobs share a key, `Own` those whose jobs have a key each. Empty jobs are left out.
template <class Shared, class Own>
class Processor {
 public:
  // Not inlined: `submit` calls it seldom.
  [[gnu::noinline]] void operator()(std::span<Job* const> jobs, const Summary& summary) {
    while (!jobs.empty() && jobs[0]->size == 0) jobs = jobs.subspan(1);
    if (jobs.empty()) return;
    const Groups<width> groups(jobs);
    if (summary.same_key) {
      Shared::encrypt(groups, *jobs[0]->key);
    } else {
      Own::encrypt(round_keys_, groups);
    }
  }

 private:
  RoundKeys<vectors> round_keys_;
};

}  // namespace aes_cbc
