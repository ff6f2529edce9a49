// A batch of one job is encrypted at once, and jobs that wait are left for a flush.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../manager.hpp"

namespace aes_cbc {

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.waiting.push_back(&job);
  return manager.waiting.size() == window ? finish_last(manager) : nullptr;
}

Job* flush(Manager& manager) { return finish_last(manager); }

void batch(Manager& manager, std::span<Job> jobs) {
  if (jobs.size() != 1) {
    while (finish_last(manager)) {
    }
  }
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
