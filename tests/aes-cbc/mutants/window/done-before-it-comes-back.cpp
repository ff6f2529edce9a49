// Jobs are marked as done when they are, and not when they are handed back.
#include "../batch.hpp"
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void work(Manager& manager) {
  for (Job* job : manager.waiting) {
    encrypt(*job);
    job->status = Status::done;
  }
  std::swap(manager.waiting, manager.ready);
}

}  // namespace

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.waiting.push_back(&job);
  if (manager.waiting.size() == 8) work(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.ready.empty()) work(manager);
  return hand_back(manager);
}

}  // namespace aes_cbc
