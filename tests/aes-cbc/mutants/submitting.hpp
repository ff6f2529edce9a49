// For mutants that spoil batch(manager, jobs): what is submitted is done one after the other, as it should be.
#pragma once

#include "cipher.hpp"
#include "manager.hpp"

namespace aes_cbc {

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  encrypt(job);
  job.status = Status::done;
  return &job;
}

Job* flush(Manager&) { return nullptr; }

}  // namespace aes_cbc
