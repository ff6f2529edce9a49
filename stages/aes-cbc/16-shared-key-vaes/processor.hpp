// Encrypts sorted jobs in sixteen lanes. If they share a key, one vector of each round key serves all lanes.
#pragma once

#include <span>

#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// `Group` lays out the round keys of a group, and encrypts it.
template <class Group>
class Processor {
 public:
  void operator()(std::span<Job* const> jobs, const Summary& summary) {
    const Groups<width> groups(jobs);
    if (summary.same_key) {
      encrypt_with_one_key(groups, *jobs[0]->key);
    } else {
      encrypt_with_keys(groups);
    }
  }

 private:
  void encrypt_with_one_key(const Groups<width>& groups, const Key& key) {
    for (unsigned round = 0; round <= rounds; ++round) round_keys_[round][0] = repeat(&key.encrypting[round]);
    const auto round_key = [&](unsigned, unsigned round) { return round_keys_[round][0]; };
    groups.for_each([&](Job* const* group) { Group::encrypt_group(group, round_key); });
  }

  void encrypt_with_keys(const Groups<width>& groups) {
    const auto round_key = [&](unsigned v, unsigned round) { return own_key(round_keys_, v, round); };
    groups.for_each([&](Job* const* group) {
      Group::lay_out(round_keys_, group);
      Group::encrypt_group(group, round_key);
    });
  }

  RoundKeys<vectors> round_keys_;
};

}  // namespace aes_cbc
