// For mutants that are wrong only where jobs fill vectors: in batches of more than sixteen jobs.
#pragma once

#include "manager.hpp"

namespace hmac_sha1 {

struct InLanes : Manager {
  bool in_lanes = false;

  void do_all(std::span<Job> jobs) override {
    in_lanes = jobs.size() > 16;
    Manager::do_all(jobs);
    in_lanes = false;
  }
};

}  // namespace hmac_sha1
