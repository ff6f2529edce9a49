// A job comes back when the next one is submitted, and is enciphered with the call after that.
#include "../batch.hpp"
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void catch_up(Manager& manager) {
  for (const Job* job : manager.ready) encrypt(*job);
  manager.ready.clear();
}

}  // namespace

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  catch_up(manager);
  std::swap(manager.waiting, manager.ready);
  manager.waiting.push_back(&job);
  if (manager.ready.empty()) return nullptr;
  manager.ready[0]->status = Status::done;
  return manager.ready[0];
}

Job* flush(Manager& manager) {
  catch_up(manager);
  return finish_last(manager);
}

}  // namespace aes_cbc
