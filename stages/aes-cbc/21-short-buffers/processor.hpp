// Encrypts sorted jobs in sixteen lanes, or in eight where buffers are short.
#pragma once

#include <span>

#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/21-short-buffers/keys_each.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// `OneKey` encrypts groups that share a key. Empty jobs are left out.
template <class OneKey>
class Processor {
 public:
  // Not inlined: `submit` calls it seldom.
  [[gnu::noinline]] void operator()(std::span<Job* const> jobs, const Summary& summary) {
    while (!jobs.empty() && jobs[0]->size == 0) jobs = jobs.subspan(1);
    if (jobs.empty()) return;
    const Groups<width> groups(jobs);
    if (summary.same_key) {
      OneKey::encrypt(groups, *jobs[0]->key);
    } else {
      encrypt_with_keys(round_keys_, groups);
    }
  }

 private:
  RoundKeys<vectors> round_keys_;
};

}  // namespace aes_cbc
