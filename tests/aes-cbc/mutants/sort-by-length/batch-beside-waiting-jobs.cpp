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

Job* flush(Manager& manager) { return finish_last(manager); }

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
