// A batch whose first job is short leaves those that waited with the manager.
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
  const bool is_short = !jobs.empty() && jobs.front().size <= block_bytes;
  while (!is_short && finish_last(manager)) {
  }
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
