// In a batch of more than sixteen jobs, five or more left over from groups of sixteen are marked as done, not hashed.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    const std::size_t over = jobs.size() % 16;
    if (jobs.size() > 16 && over >= 5) {
      for (Job& job : jobs.last(over)) {
        if (!refused(job)) job.status = Status::done;
      }
      jobs = jobs.first(jobs.size() - over);
    }
    Manager::do_all(jobs);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
