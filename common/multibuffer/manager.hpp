// Parts that managers share, whatever they do with a job.
#pragma once

#include <span>

#include "common/multibuffer/jobs.hpp"

namespace ladder {

// Marks invalid jobs, and keeps the last problem. The case defines `problem_of(job)`.
class ManagerBase {
 public:
  Problem problem() const { return problem_; }

 protected:
  bool refused(auto& job) {
    const Problem found = problem_of(job);
    if (found == Problem::none) return false;
    problem_ = found;
    job.status = Status::invalid;
    return true;
  }

 private:
  Problem problem_ = Problem::none;
};

// Finishes each job before `submit` returns. `Processor` is called with the job.
template <class Job, class Processor>
class ImmediateManager : public ManagerBase {
 public:
  Job* submit(Job& job) {
    if (!refused(job)) {
      process_(job);
      job.status = Status::done;
    }
    return &job;
  }

  Job* flush() { return nullptr; }

  void batch(std::span<Job> jobs) {
    for (Job& job : jobs) submit(job);
  }

 private:
  Processor process_;
};

// A batch for managers that treat its jobs like any others.
template <class Job>
void submit_and_flush(auto& manager, std::span<Job> jobs) {
  for (Job& job : jobs) manager.submit(job);
  while (manager.flush()) {
  }
}

}  // namespace ladder
