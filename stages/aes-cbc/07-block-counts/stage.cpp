// Block counts of 16 bits: the counts of eight lanes fit into one vector, so one instruction subtracts from all lanes.
// requires: aes
#include <algorithm>
#include <array>

#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/04-four-buffers/lanes.hpp"
#include "aes-cbc/06-out-of-order/copy_lane.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/manager.hpp"

namespace aes_cbc {

class Scheduler : public ladder::ManagerBase {
 public:
  Scheduler() {
    left_.fill(no_job), idle_lanes_.fill(no_job);
    for (unsigned lane = 0; lane < lane_count; ++lane) unused_[lane] = lane;
  }

  Job* submit(Job& job) {
    if (refused(job)) return &job;
    const unsigned lane = unused_[--idle_];
    lanes_.put(lane, job);
    jobs_[lane] = &job;
    idle_lanes_[lane] = 0;
    count(lane, job.size / block_bytes);
    return idle_ == 0 ? finish_shortest() : nullptr;
  }

  Job* flush() { return idle_ == lane_count ? nullptr : finish_shortest(); }

 private:
  static constexpr unsigned lane_count = 8;
  static constexpr std::uint16_t no_job = 0xFFFF;

  // A lane counts fewer blocks than 0xFFFF at a time.
  void count(unsigned lane, std::size_t blocks) {
    left_[lane] = static_cast<std::uint16_t>(std::min<std::size_t>(blocks, no_job - 1));
    later_[lane] = blocks - left_[lane];
  }

  // Works until the lane with the least to do is finished. The other lanes go on from there next time.
  Job* finish_shortest() {
    for (;;) {
      const auto shortest = std::min_element(left_.begin(), left_.end());
      const unsigned blocks = *shortest, lane = static_cast<unsigned>(shortest - left_.begin());
      if (blocks != 0) {
        for (unsigned i = 0; i < idle_; ++i) copy_lane(lanes_, unused_[i], lane);
        encrypt(lanes_, block_bytes * blocks);
        for (unsigned i = 0; i < lane_count; ++i) left_[i] = (left_[i] - blocks) | idle_lanes_[i];
      }
      if (later_[lane] != 0) {
        count(lane, later_[lane]);
        continue;
      }
      left_[lane] = idle_lanes_[lane] = no_job;
      unused_[idle_++] = lane;
      jobs_[lane]->status = Status::done;
      return jobs_[lane];
    }
  }

  Lanes<lane_count> lanes_{};
  std::array<Job*, lane_count> jobs_;                 // in the lanes
  std::array<std::uint16_t, lane_count> left_;        // blocks in each lane that are counted now
  std::array<std::uint16_t, lane_count> idle_lanes_;  // all ones where a lane has no job, else zero
  std::array<std::size_t, lane_count> later_;         // blocks in each lane beyond those
  std::array<unsigned, lane_count> unused_;           // the first `idle_` are lanes without a job
  unsigned idle_ = lane_count;
};

struct Manager : Scheduler {
  void batch(std::span<Job> jobs) { ladder::submit_and_flush(*this, jobs); }
};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
