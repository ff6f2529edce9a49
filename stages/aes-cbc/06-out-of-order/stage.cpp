// Out-of-order scheduler: the shortest lane is finished, its job is handed back, and the lane takes the next job.
// requires: aes
#include <algorithm>
#include <array>

#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/04-four-buffers/lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/manager.hpp"

namespace aes_cbc {

struct Manager : ladder::ManagerBase {
  Manager() {
    left.fill(no_job);
    for (unsigned lane = 0; lane < width; ++lane) unused[lane] = lane;
  }

  Job* submit(Job& job) {
    if (refused(job)) return &job;
    const unsigned lane = unused[--idle];
    lanes.put(lane, job);
    jobs[lane] = &job;
    left[lane] = job.size;
    return idle == 0 ? finish_shortest() : nullptr;
  }

  Job* flush() { return idle == width ? nullptr : finish_shortest(); }

  void batch(std::span<Job> all) { ladder::submit_and_flush(*this, all); }

 private:
  static constexpr unsigned width = 8;
  static constexpr std::size_t no_job = SIZE_MAX;

  // Works until the lane with the least to do is finished. The other lanes go on from there next time.
  Job* finish_shortest() {
    const auto shortest = std::min_element(left.begin(), left.end());
    const unsigned lane = static_cast<unsigned>(shortest - left.begin());
    if (const std::size_t size = *shortest; size != 0) {
      for (unsigned i = 0; i < idle; ++i) lanes.copy(unused[i], lane);
      encrypt(lanes, size);
      for (std::size_t& bytes : left) bytes -= size;
    }
    left[lane] = no_job;
    unused[idle++] = lane;
    jobs[lane]->status = Status::done;
    return jobs[lane];
  }

  Lanes<width> lanes{};
  std::array<Job*, width> jobs;         // in the lanes
  std::array<std::size_t, width> left;  // bytes in each lane, or far more than any job has
  std::array<unsigned, width> unused;   // lanes, of which the first `idle` are
  unsigned idle = width;
};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
