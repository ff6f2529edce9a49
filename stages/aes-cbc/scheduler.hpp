// What stages 07 to 09 came to, for the stages after them: jobs are gathered, sorted by length, and handed back one by
// one.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// `encrypt(jobs, count, shared)` enciphers one job or more, least first; where it is `shared`, they have one key.
class Scheduler {
 public:
  Job* submit(Job& job, auto&& encrypt) {
    if (refused(job)) return &job;
    waiting_[count_++] = &job;
    if (count_ == window) work_on_waiting(encrypt);
    return hand_back();
  }

  Job* flush(auto&& encrypt) {
    if (next_ == finished_) work_on_waiting(encrypt);
    return hand_back();
  }

  void batch(std::span<Job> jobs, auto&& encrypt) {
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
      std::size_t count = 0;
      for (Job& job : jobs.first(std::min(jobs.size(), portion))) {
        if (refused(job)) continue;
        valid_[count++] = &job;
        job.status = Status::done;
      }
      if (count != 0) work_on(valid_.data(), count, encrypt);
    }
  }

  Problem problem() const { return problem_; }

 private:
  static constexpr std::size_t window = 128;     // jobs that `submit` gathers
  static constexpr std::size_t portion = 1'024;  // jobs that are sorted together
  static constexpr std::size_t bins = 256;       // by number of blocks; longer buffers share the last one

  bool refused(Job& job) {
    const Problem problem = problem_of(job);
    if (problem == Problem::none) return false;
    problem_ = problem;
    job.status = Status::invalid;
    return true;
  }

  // By number of blocks, least first: count, add up, put each job in its place. Jobs of one length stay where they are.
  Job* const* sort(Job* const* jobs, std::size_t count) {
    const auto as_long_as_first = [&](const Job* job) { return job->size == jobs[0]->size; };
    if (std::all_of(jobs, jobs + count, as_long_as_first)) return jobs;
    std::uint16_t begins[bins + 1] = {};
    const auto bin_of = [](const Job* job) { return std::min(job->size / block_bytes, bins - 1); };
    for (std::size_t i = 0; i < count; ++i) ++begins[bin_of(jobs[i]) + 1];
    for (std::size_t bin = 1; bin < bins; ++bin) begins[bin] += begins[bin - 1];
    Job** const longest = sorted_.data() + begins[bins - 1];
    for (std::size_t i = 0; i < count; ++i) sorted_[begins[bin_of(jobs[i])]++] = jobs[i];
    std::sort(longest, sorted_.data() + count, [](const Job* a, const Job* b) { return a->size < b->size; });
    return sorted_.data();
  }

  void work_on(Job* const* jobs, std::size_t count, auto&& encrypt) {
    const auto has_first_key = [&](const Job* job) { return job->key == jobs[0]->key; };
    const bool shared = std::all_of(jobs, jobs + count, has_first_key);
    encrypt(sort(jobs, count), count, shared);
  }

  void work_on_waiting(auto&& encrypt) {
    if (count_ != 0) work_on(waiting_.data(), count_, encrypt);
    std::swap(waiting_, ready_);
    next_ = 0;
    finished_ = std::exchange(count_, 0);
  }

  Job* hand_back() {
    if (next_ == finished_) return nullptr;
    Job* const job = ready_[next_++];
    job->status = Status::done;
    return job;
  }

  // By the time that a window is full, all that were ready have been handed back.
  std::array<Job*, window> waiting_, ready_;
  std::size_t count_ = 0;                // of those waiting
  std::size_t next_ = 0, finished_ = 0;  // of those ready: which one is next, and how many there were
  std::array<Job*, portion> valid_, sorted_;
  Problem problem_ = Problem::none;
};

}  // namespace aes_cbc
