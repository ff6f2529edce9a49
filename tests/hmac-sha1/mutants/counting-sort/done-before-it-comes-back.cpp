// Jobs are marked as done when they are, and not when they are handed back.
#include <vector>

#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  std::vector<Job*> waiting, ready;

  Job* take(Job& job) override {
    if (refused(job)) return &job;
    waiting.push_back(&job);
    if (waiting.size() == 8) do_waiting();
    return hand_back();
  }

  Job* give_back() override {
    if (ready.empty()) do_waiting();
    return hand_back();
  }

  void do_waiting() {
    for (Job* job : waiting) {
      begin(lane[0], *job);
      ready.push_back(work());
    }
    waiting.clear();
  }

  Job* hand_back() {
    if (ready.empty()) return nullptr;
    Job* const job = ready.back();
    ready.pop_back();
    return job;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
