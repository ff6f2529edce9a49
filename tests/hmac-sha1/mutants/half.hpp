// For mutants that get a batch of five to eight jobs wrong.
#pragma once

#include "manager.hpp"

namespace hmac_sha1 {

struct HalfWrong : Manager {
  bool half = false;

  void do_all(std::span<Job> jobs) override {
    half = jobs.size() >= 5 && jobs.size() <= 8;
    Manager::do_all(jobs);
    half = false;
  }
};

// For mutants that hash five to eight jobs with wrong keys.
struct KeysOfHalfWrong : Manager {
  virtual void spoil(std::span<Job> jobs) = 0;  // valid jobs

  void do_all(std::span<Job> jobs) override {
    const bool valid = std::ranges::all_of(jobs, [](const Job& job) { return problem_of(job) == Problem::none; });
    if (!valid || jobs.size() < 5 || jobs.size() > 8) return Manager::do_all(jobs);
    const Key* keys[8];
    for (std::size_t i = 0; i < jobs.size(); ++i) keys[i] = jobs[i].key;
    spoil(jobs);
    Manager::do_all(jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].key = keys[i];
  }
};

}  // namespace hmac_sha1
