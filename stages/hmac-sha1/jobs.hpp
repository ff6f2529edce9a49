// What stages 04 to 14 do with a job first, whatever their managers are.
#pragma once

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// An invalid job is marked, and what was wrong with it is kept.
static inline bool refused(Job& job, Problem& last) {
  const Problem problem = problem_of(job);
  if (problem == Problem::none) return false;
  last = problem;
  job.status = Status::invalid;
  return true;
}

}  // namespace hmac_sha1
