// All managers work on one set of lanes, with a lock: a job comes back from another one than it was given to.
#include <mutex>

#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

std::mutex lock;
Manager all;

struct Mutant : Manager {
  Job* take(Job& job) override {
    const std::lock_guard guard(lock);
    if (refused(job)) return &job;
    return all.take(job);
  }
  Job* give_back() override {
    const std::lock_guard guard(lock);
    return all.give_back();
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
