// A manager that encrypts jobs of up to two blocks as they come, and of three in a batch with a key for each job.
#pragma once

#include <span>

#include "aes-cbc/33-short-jobs-at-once/at_once.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr std::size_t short_with_own_key = 3 * block_bytes;

// The first two jobs of a batch tell whether jobs share their key. If this is wrong, only the time differs.
template <class Processor>
struct AtOnceByKey : ShortAtOnce<Processor> {
  void batch(std::span<Job> jobs) {
    const bool one_key = jobs.size() > 1 && jobs[0].key == jobs[1].key;
    this->encrypt_batch(jobs, one_key ? short_bytes : short_with_own_key);
  }
};

}  // namespace aes_cbc
