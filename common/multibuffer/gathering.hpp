// A manager that gathers jobs in a window, and sorts them by length, like those of a batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "common/multibuffer/sorter.hpp"
#include "common/multibuffer/waiting.hpp"

namespace ladder {

// `submit` gathers 128 jobs; a batch is sorted in larger portions, which do not pass through the window.
template <class Job, class Processor, class Summary = LengthSummary>
class Gathering : public WaitingManager<Job, 128, Sorter<Job, Processor, Summary>> {
 public:
  void batch(std::span<Job> jobs) {
    finish();
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
      process_portion(jobs.first(std::min(jobs.size(), portion)));
    }
  }

 protected:
  static constexpr std::size_t portion = CountingSort<Job>::capacity;

  void finish() {
    while (this->flush()) {
    }
  }

  void process_portion(std::span<Job> jobs) {
    std::size_t count = 0;
    Summary summary(jobs[0]);
    for (Job& job : jobs) {
      if (this->refused(job)) continue;
      sorter().gather(count++, job, summary);
      job.status = Status::done;
    }
    sorter().process(count, summary);
  }

  Sorter<Job, Processor, Summary>& sorter() { return this->process_; }
};

}  // namespace ladder
