// Jobs that are processed together are sorted by length first.
#pragma once

#include <cstddef>
#include <span>

#include "common/multibuffer/counting_sort.hpp"

namespace ladder {

// Whether all jobs have as many blocks as the first one. Their sizes in bytes may differ.
struct LengthSummary {
  std::size_t blocks = 0;
  bool same_length = true;

  LengthSummary() = default;
  explicit LengthSummary(const auto& first) : blocks(blocks_of(first)) {}
  void add(const auto& job) { same_length = same_length & (blocks_of(job) == blocks); }
};

// Sorts jobs where their lengths differ. `Processor` is called with one job or more, shortest first, and with their
// `Summary`.
template <class Job, class Processor, class Summary = LengthSummary>
class Sorter {
 public:
  void operator()(std::span<Job* const> jobs) {
    Summary summary(*jobs[0]);
    for (std::size_t i = 0; i < jobs.size(); ++i) gather(i, *jobs[i], summary);
    process(jobs.size(), summary);
  }

  void gather(std::size_t i, Job& job, Summary& summary) {
    jobs_.put(i, job);
    summary.add(job);
  }

  void process(std::size_t count, const Summary& summary) {
    if (count != 0) process_(summary.same_length ? jobs_.unsorted(count) : jobs_.sorted(count), summary);
  }

  CountingSort<Job>& jobs() { return jobs_; }

 private:
  CountingSort<Job> jobs_;
  Processor process_;
};

}  // namespace ladder
