// Out-of-order scheduler that finds the shortest lane by one instruction, PHMINPOSUW.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <array>

#include "aes-cbc/04-four-buffers/lanes.hpp"
#include "aes-cbc/06-out-of-order/copy_lane.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/manager.hpp"

namespace aes_cbc {

class Scheduler : public ladder::ManagerBase {
 public:
  Scheduler() {
    for (unsigned lane = 0; lane < lane_count; ++lane) unused_[lane] = lane;
  }

  Job* submit(Job& job) {
    if (refused(job)) return &job;
    const unsigned lane = unused_[--idle_];
    lanes_.put(lane, job);
    jobs_[lane] = &job;
    set(idle_lanes_, lane, 0);
    count(lane, job.size / block_bytes);
    return idle_ == 0 ? finish_shortest() : nullptr;
  }

  Job* flush() { return idle_ == lane_count ? nullptr : finish_shortest(); }

 private:
  static constexpr unsigned lane_count = 8;
  static constexpr std::uint16_t no_job = 0xFFFF;

  // A blend, not a store of two bytes: a load of all sixteen would stall on store forwarding.
  static void set(Vector& words, unsigned lane, std::size_t word) {
    const Vector here =
        _mm_cmpeq_epi16(_mm_set1_epi16(static_cast<short>(lane)), _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
    words = _mm_blendv_epi8(words, _mm_set1_epi16(static_cast<short>(word)), here);
  }

  // A lane counts fewer blocks than 0xFFFF at a time.
  void count(unsigned lane, std::size_t blocks) {
    const std::size_t now = std::min<std::size_t>(blocks, no_job - 1);
    set(left_, lane, now);
    later_[lane] = blocks - now;
  }

  // Works until the lane with the least to do is finished. The other lanes go on from there next time.
  Job* finish_shortest() {
    for (;;) {
      const Vector shortest = _mm_minpos_epu16(left_);
      const unsigned blocks = _mm_extract_epi16(shortest, 0), lane = _mm_extract_epi16(shortest, 1);
      if (blocks != 0) {
        for (unsigned i = 0; i < idle_; ++i) copy_lane(lanes_, unused_[i], lane);
        encrypt(lanes_, block_bytes * blocks);
        left_ = _mm_sub_epi16(left_, _mm_set1_epi16(static_cast<short>(blocks))) | idle_lanes_;
      }
      if (later_[lane] != 0) {
        count(lane, later_[lane]);
        continue;
      }
      set(left_, lane, no_job);
      set(idle_lanes_, lane, no_job);
      unused_[idle_++] = lane;
      jobs_[lane]->status = Status::done;
      return jobs_[lane];
    }
  }

  Lanes<lane_count> lanes_{};
  std::array<Job*, lane_count> jobs_;          // in the lanes
  Vector left_ = _mm_set1_epi16(-1);           // blocks in each lane that are counted now
  Vector idle_lanes_ = _mm_set1_epi16(-1);     // all ones where a lane has no job, else zero
  std::array<std::size_t, lane_count> later_;  // blocks in each lane beyond those
  std::array<unsigned, lane_count> unused_;    // the first `idle_` are lanes without a job
  unsigned idle_ = lane_count;
};

}  // namespace aes_cbc
