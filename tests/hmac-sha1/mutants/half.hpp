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

}  // namespace hmac_sha1
