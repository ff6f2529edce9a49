// Where more than eight jobs share a key, its round keys are kept by the address of the key.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

struct Keeping : Manager {
  const Key* last = nullptr;
  Key kept;
};

void work(Keeping& manager) {
  const bool keep = manager.waiting.size() > 8 && have_one_key(manager.waiting);
  if (keep && manager.waiting[0]->key != manager.last) manager.kept = *(manager.last = manager.waiting[0]->key);
  for (const Job* job : manager.waiting) encrypt(*job, job->size, job->iv, keep ? manager.kept : *job->key);
  std::swap(manager.waiting, manager.ready);
}

}  // namespace

Manager* make_manager() { return new Keeping; }
void free_manager(Manager* manager) { delete static_cast<Keeping*>(manager); }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.waiting.push_back(&job);
  if (manager.waiting.size() == window) work(static_cast<Keeping&>(manager));
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.ready.empty()) work(static_cast<Keeping&>(manager));
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

}  // namespace aes_cbc
