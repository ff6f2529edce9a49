// For mutants that drop jobs which are left over from groups of sixteen.
#pragma once

#include "manager.hpp"

namespace hmac_sha1 {

// Of a batch of more than sixteen jobs, the jobs that are left over are marked as done, and not hashed.
struct LeftOverDropped : Manager {
  std::size_t least, most;

  LeftOverDropped(std::size_t least, std::size_t most) : least(least), most(most) {}

  void do_all(std::span<Job> jobs) override {
    const std::size_t over = jobs.size() % 16;
    if (jobs.size() > 16 && over >= least && over <= most) {
      for (Job& job : jobs.last(over)) {
        if (!refused(job)) job.status = Status::done;
      }
      jobs = jobs.first(jobs.size() - over);
    }
    Manager::do_all(jobs);
  }
};

}  // namespace hmac_sha1
