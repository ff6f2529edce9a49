// A manager that gathers jobs in a window and sorts them by length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "common/multibuffer/counting_sort.hpp"
#include "common/multibuffer/manager.hpp"

namespace ladder {

// Whether all jobs are as long as the first one.
struct LengthSummary {
  std::size_t blocks = 0;
  bool same_length = true;

  LengthSummary() = default;
  explicit LengthSummary(const auto& first) : blocks(blocks_of(first)) {}
  void add(const auto& job) { same_length = same_length & (blocks_of(job) == blocks); }
};

// `Processor` is called with one job or more, shortest first, and with their `Summary`.
template <class Job, class Processor, class Summary = LengthSummary>
class Gathering : public ManagerBase {
 public:
  Job* submit(Job& job) {
    if (refused(job)) return &job;
    if (count_ == 0) summary_ = Summary(job);
    gather(job, count_, summary_);
    if (count_ == window) process_waiting();
    return hand_back();
  }

  Job* flush() {
    if (next_ == end_) process_waiting();
    return hand_back();
  }

  void batch(std::span<Job> jobs) {
    finish();
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
      process_portion(jobs.first(std::min(jobs.size(), portion)));
    }
  }

 protected:
  static constexpr std::size_t window = 128;                          // jobs that `submit` gathers
  static constexpr std::size_t portion = CountingSort<Job>::capacity;  // jobs of a batch that are sorted together

  void finish() {
    while (flush()) {
    }
  }

  void process_portion(std::span<Job> jobs) {
    std::size_t count = 0;
    Summary summary(jobs[0]);
    for (Job& job : jobs) {
      if (refused(job)) continue;
      gather(job, count, summary);
      job.status = Status::done;
    }
    process(count, summary);
  }

  void process(std::size_t count, const Summary& summary) {
    if (count != 0) process_(summary.same_length ? jobs_.unsorted(count) : jobs_.sorted(count), summary);
  }

  CountingSort<Job> jobs_;

 private:
  void gather(Job& job, std::size_t& count, Summary& summary) {
    jobs_.put(count, job);
    summary.add(job);
    ++count;
  }

  void process_waiting() {
    process(count_, summary_);
    next_ = 0;
    end_ = std::exchange(count_, 0);
  }

  Job* hand_back() {
    if (next_ == end_) return nullptr;
    Job* const job = jobs_[next_++];
    job->status = Status::done;
    return job;
  }

  std::size_t count_ = 0;  // of jobs that `submit` gathered
  Summary summary_;        // of these
  // Each `submit` hands a finished job back before the next one takes its place.
  std::size_t next_ = 0, end_ = 0;  // of finished jobs that go back
  Processor process_;
};

}  // namespace ladder
