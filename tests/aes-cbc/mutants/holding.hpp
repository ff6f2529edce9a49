// For mutants that spoil finishes_what_waits(jobs): whether a batch first finishes the jobs that were submitted. Those
// wait for a flush, or until they fill a window.
#pragma once

#include "cipher.hpp"
#include "decrypting.hpp"
#include "manager.hpp"

namespace aes_cbc {
namespace {

bool finishes_what_waits(std::span<const Job> jobs);

}  // namespace

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.waiting.push_back(&job);
  return manager.waiting.size() == window ? finish_last(manager) : nullptr;
}

Job* flush(Manager& manager) { return finish_last(manager); }

void batch(Manager& manager, std::span<Job> jobs) {
  while (finishes_what_waits(jobs) && finish_last(manager)) {
  }
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
