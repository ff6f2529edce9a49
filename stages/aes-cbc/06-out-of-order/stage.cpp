// Out-of-order scheduler: the shortest lane is finished, its job is handed back, and the lane takes the next job.
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
    left_.fill(no_job);
    for (unsigned lane = 0; lane < lane_count; ++lane) unused_[lane] = lane;
  }

  Job* submit(Job& job) {
    if (refused(job)) return &job;
    const unsigned lane = unused_[--idle_];
    lanes_.put(lane, job);
    jobs_[lane] = &job;
    left_[lane] = job.size;
    return idle_ == 0 ? finish_shortest() : nullptr;
  }

  Job* flush() { return idle_ == lane_count ? nullptr : finish_shortest(); }

 private:
  static constexpr unsigned lane_count = 8;
  static constexpr std::size_t no_job = SIZE_MAX;

  // Works until the lane with the least to do is finished. The other lanes go on from there next time.
  Job* finish_shortest() {
    const auto shortest = std::min_element(left_.begin(), left_.end());
    const unsigned lane = static_cast<unsigned>(shortest - left_.begin());
    if (const std::size_t size = *shortest; size != 0) {
      for (unsigned i = 0; i < idle_; ++i) copy_lane(lanes_, unused_[i], lane);
      encrypt(lanes_, size);
      for (std::size_t& bytes : left_) bytes -= size;
    }
    left_[lane] = no_job;
    unused_[idle_++] = lane;
    jobs_[lane]->status = Status::done;
    return jobs_[lane];
  }

  Lanes<lane_count> lanes_{};
  std::array<Job*, lane_count> jobs_;         // in the lanes
  std::array<std::size_t, lane_count> left_;  // bytes in each lane, or far more than any job has
  std::array<unsigned, lane_count> unused_;   // the first `idle_` are lanes without a job
  unsigned idle_ = lane_count;
};

struct Manager : Scheduler {
  void batch(std::span<Job> jobs) { ladder::submit_and_flush(*this, jobs); }
};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
