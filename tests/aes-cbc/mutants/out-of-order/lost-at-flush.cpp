// Flush works on what is there, marks all of it as done, and does not hand back the last.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../manager.hpp"

namespace aes_cbc {

namespace {

void work(Manager& manager) {
  for (const Job* job : manager.waiting) encrypt(*job);
  std::swap(manager.waiting, manager.ready);
}

Job* hand_back(Manager& manager) {
  if (manager.ready.empty()) return nullptr;
  Job* const job = manager.ready.back();
  manager.ready.pop_back();
  job->status = Status::done;
  return job;
}

}  // namespace

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.waiting.push_back(&job);
  if (manager.waiting.size() == 8) work(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.ready.empty()) {
    work(manager);
    if (manager.ready.size() > 1) {
      manager.ready.back()->status = Status::done;
      manager.ready.pop_back();
    }
  }
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
