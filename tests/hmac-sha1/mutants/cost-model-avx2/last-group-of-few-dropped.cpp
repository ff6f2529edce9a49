// In a batch of nine to 32 jobs, those behind whole groups of eight are marked as done, and not hashed.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    const std::size_t over = jobs.size() > 8 && jobs.size() <= 32 ? jobs.size() % 8 : 0;
    Manager::do_all(jobs.first(jobs.size() - over));
    for (Job& job : jobs.last(over)) {
      if (!refused(job)) job.status = Status::done;
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
