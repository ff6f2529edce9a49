// Sorting by length: adjacent jobs of a sorted batch end together, so no shortest lane has to be found.
// requires: aes sse4.1
#include <algorithm>
#include <array>

#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/08-phminposuw/scheduler.hpp"
#include "aes-cbc/09-sort-by-length/encrypt_group.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : Scheduler {
  void batch(std::span<Job> all) {
    for (; !all.empty(); all = all.subspan(std::min(all.size(), portion))) {
      std::size_t count = 0;
      bool same_length = true;
      for (Job& job : all.first(std::min(all.size(), portion))) {
        if (refused(job)) continue;
        jobs[count++] = &job;
        same_length = same_length & (job.size == jobs[0]->size);
        job.status = Status::done;
      }
      if (!same_length) std::ranges::sort(jobs.begin(), jobs.begin() + count, {}, &Job::size);
      process({jobs.data(), count});
    }
    while (flush()) {
    }
  }

 private:
  static constexpr std::size_t portion = 1'024;  // jobs that are sorted together

  // The shortest jobs, which fill no group, go to the scheduler.
  void process(std::span<Job* const> sorted) {
    const auto encrypt_lanes = [](Lanes<width>& lanes, std::size_t size) { encrypt(lanes, size); };
    const std::size_t few = sorted.size() % width;
    for (Job* job : sorted.first(few)) submit(*job);
    for (std::size_t i = few; i < sorted.size(); i += width) encrypt_group(&sorted[i], encrypt_lanes);
  }

  std::array<Job*, portion> jobs;
};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
