// For mutants that get the second of two vectors wrong, in a batch of more jobs than one vector has, and no more than
// both have.
#pragma once

#include <vector>

#include "manager.hpp"

namespace hmac_sha1 {

struct SecondVectorWrong : Manager {
  std::size_t lanes_of_one;

  explicit SecondVectorWrong(std::size_t lanes_of_one) : lanes_of_one(lanes_of_one) {}

  // Valid jobs. Two of them are in the same lane of both vectors; those of the second may be changed.
  virtual void spoil(const Job& /*first*/, Job& /*second*/) {}
  virtual void spoil_digests(const Job& /*first*/, Job& /*second*/) {}

  void do_all(std::span<Job> jobs) override {
    const bool valid = std::ranges::all_of(jobs, [](const Job& job) { return problem_of(job) == Problem::none; });
    if (!valid || jobs.size() <= lanes_of_one || jobs.size() > 2 * lanes_of_one) return Manager::do_all(jobs);
    const std::vector<Job> kept(jobs.begin(), jobs.end());
    for (std::size_t i = lanes_of_one; i < jobs.size(); ++i) spoil(jobs[i - lanes_of_one], jobs[i]);
    Manager::do_all(jobs);
    for (std::size_t i = lanes_of_one; i < jobs.size(); ++i) {
      jobs[i].data = kept[i].data, jobs[i].size = kept[i].size, jobs[i].key = kept[i].key;
      spoil_digests(jobs[i - lanes_of_one], jobs[i]);
    }
  }
};

}  // namespace hmac_sha1
