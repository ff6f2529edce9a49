// What stages 03 to 17 do with jobs, whatever their managers are.
#pragma once

#include <span>

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// An invalid job is marked, and what was wrong with it is kept.
static inline bool refused(Job& job, Problem& last) {
  const Problem problem = problem_of(job);
  if (problem == Problem::none) return false;
  last = problem;
  job.status = Status::invalid;
  return true;
}

static inline void decrypt_each(std::span<Job> jobs, void (*decrypt)(const Job&)) {
  for (Job& job : jobs) {
    const bool valid = problem_of(job) == Problem::none;
    if (valid) decrypt(job);
    job.status = valid ? Status::done : Status::invalid;
  }
}

}  // namespace aes_cbc
