// If the first job of a batch has two blocks, it and those behind it are encrypted as they come, until one is longer.
#pragma once

#include <span>

#include "aes-cbc/36-one-job/no_lanes.hpp"
#include "aes-cbc/43-two-blocks-by-core/core.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

template <class ForLonger>
struct TwoAtOnce : ForLonger {
  void batch(std::span<Job> jobs) {
    if (!overlaps_two_blocks || jobs.empty() || jobs[0].size != 2 * block_bytes) return ForLonger::batch(jobs);
    this->finish();
    for (; !jobs.empty() && jobs[0].size <= 2 * block_bytes; jobs = jobs.subspan(1)) {
      if (this->refused(jobs[0])) continue;
      encrypt_alone(jobs[0]);
      jobs[0].status = Status::done;
    }
    if (!jobs.empty()) ForLonger::batch(jobs);
  }
};

}  // namespace aes_cbc
