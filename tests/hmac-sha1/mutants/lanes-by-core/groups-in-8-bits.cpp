// The groups of eight jobs are counted in 8 bits: jobs behind 2,048 others are marked as done, and not hashed.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    Manager::do_all(jobs.first(std::min<std::size_t>(jobs.size(), 2'048)));
    for (Job& job : jobs.subspan(std::min<std::size_t>(jobs.size(), 2'048))) {
      if (!refused(job)) job.status = Status::done;
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
