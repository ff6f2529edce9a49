// All managers gather in one place, with a lock: a job comes back from another one than it was given to.
#include <mutex>

#include "../batch.hpp"
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

std::mutex lock;
std::vector<Job*> waiting;

Job* finish_one() {
  if (waiting.empty()) return nullptr;
  Job* const job = waiting.back();
  waiting.pop_back();
  encrypt(*job);
  job->status = Status::done;
  return job;
}

}  // namespace

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  const std::lock_guard guard(lock);
  waiting.push_back(&job);
  return waiting.size() < 8 ? nullptr : finish_one();
}

Job* flush(Manager&) {
  const std::lock_guard guard(lock);
  return finish_one();
}

}  // namespace aes_cbc
