// For mutants that get a batch of up to four jobs wrong.
#pragma once

#include "manager.hpp"

namespace hmac_sha1 {

struct FewWrong : Manager {
  bool few = false;

  void do_all(std::span<Job> jobs) override {
    few = jobs.size() <= 4;
    Manager::do_all(jobs);
    few = false;
  }
};

}  // namespace hmac_sha1
