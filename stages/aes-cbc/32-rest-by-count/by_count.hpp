// Encrypts sorted jobs in eight lanes. A rest of two to four jobs takes four lanes, and a rest of one takes none.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "aes-cbc/02-aes-instructions/one_buffer.hpp"
#include "aes-cbc/04-four-buffers/lanes.hpp"
#include "aes-cbc/06-out-of-order/copy_lane.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/26-shared-offset/processor.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

static inline void encrypt_alone(const Job& job) { encrypt_alone(job.in, job.out, job.size, *job.key, load(job.iv)); }

// Two to four jobs, shortest first, none of them empty. Lanes without a job repeat the first one: all lanes are loaded
// before one is stored, so a job in place is encrypted once.
static inline void encrypt_in_four_lanes(std::span<Job* const> jobs) {
  std::array<const Job*, 4> group;
  group.fill(jobs[0]);
  std::copy(jobs.begin(), jobs.end(), group.end() - jobs.size());
  Lanes<4> lanes;
  for (unsigned lane = 0; lane < 4; ++lane) lanes.put(lane, *group[lane]);
  std::size_t done = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    if (group[lane]->size == done) continue;
    for (unsigned ended = 0; ended < lane; ++ended) copy_lane(lanes, ended, lane);
    encrypt(lanes, group[lane]->size - done);
    done = group[lane]->size;
  }
}

// Sorted jobs. Those that are left over from groups of eight are the shortest.
class ByCount {
 public:
  void operator()(std::span<Job* const> jobs, const Summary& summary) const {
    while (!jobs.empty() && jobs[0]->size == 0) jobs = jobs.subspan(1);
    const std::size_t rest = jobs.size() % width;
    if (rest == 1) encrypt_alone(*jobs[0]);
    if (rest > 1 && rest <= 4) encrypt_in_four_lanes(jobs.first(rest));
    if (rest <= 4) jobs = jobs.subspan(rest);
    if (!jobs.empty()) eight_lanes_(jobs, summary);
  }

 private:
  Processor eight_lanes_;
};

}  // namespace aes_cbc
