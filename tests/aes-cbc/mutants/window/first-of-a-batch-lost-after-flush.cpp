// After a flush that handed back a job, the first one of a batch is marked as done, and not worked on.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../manager.hpp"

namespace aes_cbc {

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.waiting.push_back(&job);
  return nullptr;
}

Job* flush(Manager& manager) {
  if (manager.waiting.empty()) return nullptr;
  Job* const job = manager.waiting.back();
  manager.waiting.pop_back();
  encrypt(*job);
  job->status = Status::done;
  manager.ready = {job};  // and stays there
  return job;
}

void batch(Manager& manager, std::span<Job> jobs) {
  while (flush(manager)) {
  }
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    if (manager.ready.empty()) encrypt(job);
    manager.ready.clear();
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
