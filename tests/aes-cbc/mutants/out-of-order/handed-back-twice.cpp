// What submit has handed back, flush hands back once more.
#include "../batch.hpp"
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  encrypt(job);
  job.status = Status::done;
  if (manager.ready.empty()) manager.ready.push_back(&job);
  return &job;
}

Job* flush(Manager& manager) {
  if (manager.ready.empty()) return nullptr;
  Job* const job = manager.ready.back();
  manager.ready.pop_back();
  return job;
}

}  // namespace aes_cbc
