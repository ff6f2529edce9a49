// For mutants that spoil encrypt_wrongly(jobs): a window of jobs is gathered, or as many as there are when it is
// flushed.
#pragma once

#include "batch.hpp"
#include "cipher.hpp"

namespace aes_cbc {
namespace {

void work(Manager& manager) {
  encrypt_wrongly(manager.waiting);
  std::swap(manager.waiting, manager.ready);
}

}  // namespace

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.waiting.push_back(&job);
  if (manager.waiting.size() == window) work(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.ready.empty()) work(manager);
  return hand_back(manager);
}

}  // namespace aes_cbc
