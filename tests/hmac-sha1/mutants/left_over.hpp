// For mutants that drop jobs which are left over from groups.
#pragma once

#include "manager.hpp"

namespace hmac_sha1 {

// Of a batch of more jobs than a group has, those that are left over are marked as done, and not hashed.
struct LeftOverDropped : Manager {
  std::size_t least, most, group;

  LeftOverDropped(std::size_t least, std::size_t most, std::size_t group = 16)
      : least(least), most(most), group(group) {}

  void do_all(std::span<Job> jobs) override {
    const std::size_t over = jobs.size() % group;
    if (jobs.size() > group && over >= least && over <= most) {
      for (Job& job : jobs.last(over)) {
        if (!refused(job)) job.status = Status::done;
      }
      jobs = jobs.first(jobs.size() - over);
    }
    Manager::do_all(jobs);
  }
};

}  // namespace hmac_sha1
