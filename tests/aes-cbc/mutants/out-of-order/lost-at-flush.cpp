// Flush works on what is there, marks all of it as done, and does not hand back the last.
#include "../batch.hpp"
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void work(Manager& manager) {
  for (const Job* job : manager.waiting) encrypt(*job);
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
  if (manager.ready.empty()) {
    work(manager);
    if (manager.ready.size() > 1) {
      manager.ready.back()->status = Status::done;
      manager.ready.pop_back();
    }
  }
  return hand_back(manager);
}

}  // namespace aes_cbc
