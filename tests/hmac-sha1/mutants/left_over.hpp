// For mutants that drop jobs at the end of a batch.
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

// Of a batch of so many jobs, the last one is marked as done, and not hashed.
struct LastDropped : Manager {
  std::size_t count;

  explicit LastDropped(std::size_t count) : count(count) {}

  void do_all(std::span<Job> jobs) override {
    if (jobs.size() != count || refused(jobs.back())) return Manager::do_all(jobs);
    Manager::do_all(jobs.first(count - 1));
    jobs.back().status = Status::done;
  }
};

}  // namespace hmac_sha1
