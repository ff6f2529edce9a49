// For mutants that spoil encrypt_wrongly(job, batch): the valid jobs of a batch, one after the other.
#pragma once

#include "cipher.hpp"
#include "decrypting.hpp"
#include "submitting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> batch);

}  // namespace

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt_wrongly(job, jobs);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
