// For mutants that spoil encrypt_wrongly(job): one job after the other.
#pragma once

#include "batch.hpp"
#include "cipher.hpp"

namespace aes_cbc {

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  encrypt_wrongly(job);
  job.status = Status::done;
  return &job;
}

Job* flush(Manager&) { return nullptr; }

}  // namespace aes_cbc
