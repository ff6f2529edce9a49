// A batch of 33 jobs passes for one of 32: the last one is marked as done, and not hashed.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    if (jobs.size() != 33 || refused(jobs[32])) return Manager::do_all(jobs);
    Manager::do_all(jobs.first(32));
    jobs[32].status = Status::done;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
