// A batch is worked on by itself, and leaves the jobs that wait with the manager.
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
  return job;
}

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
