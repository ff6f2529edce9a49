// Chooses a kernel by the number of jobs and by their lengths: no lanes where the core overlaps the jobs by itself.
#pragma once

#include <span>

#include "aes-cbc/02-aes-instructions/one_buffer.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/29-few-jobs/by_count.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

static inline void encrypt_alone(const Job& job) { encrypt_alone(job.in, job.out, job.size, *job.key, load(job.iv)); }

// A single job, or up to four of at most six blocks. Jobs come shortest first, or all are of one length.
static inline bool needs_no_lanes(std::span<Job* const> jobs) {
  constexpr std::size_t few = 4, short_bytes = 6 * block_bytes;
  return jobs.size() == 1 || (jobs.size() <= few && jobs.back()->size <= short_bytes);
}

class NoLanesOrByCount {
 public:
  void operator()(std::span<Job* const> jobs, const Summary& summary) {
    if (!needs_no_lanes(jobs)) return by_count_(jobs, summary);
    for (const Job* job : jobs) encrypt_alone(*job);
  }

 private:
  ByCount by_count_;
};

}  // namespace aes_cbc
