// For mutants that get a batch of a few jobs wrong whose lengths differ.
#pragma once

#include "manager.hpp"

namespace hmac_sha1 {

struct UnequalWrong : Manager {
  const Job* shortest = nullptr;  // while such a batch is done

  static bool shorter(const Job& a, const Job& b) { return blocks_of(a) < blocks_of(b); }

  // Valid jobs, at most 32, which do not all have equally many blocks.
  virtual void do_unequal(std::span<Job> jobs) { Manager::do_all(jobs); }

  void do_all(std::span<Job> jobs) override {
    const bool valid = std::ranges::all_of(jobs, [](const Job& job) { return problem_of(job) == Problem::none; });
    if (!valid || jobs.size() < 2 || jobs.size() > 32) return Manager::do_all(jobs);
    const auto [least, most] = std::ranges::minmax_element(jobs, shorter);
    if (!shorter(*least, *most)) return Manager::do_all(jobs);
    shortest = &*least;
    do_unequal(jobs);
    shortest = nullptr;
  }
};

}  // namespace hmac_sha1
