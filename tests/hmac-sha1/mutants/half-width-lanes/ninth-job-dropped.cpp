// Nine jobs go in eight lanes: the last is marked as done, and not hashed.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    if (jobs.size() != 9 || refused(jobs[8])) return Manager::do_all(jobs);
    Manager::do_all(jobs.first(8));
    jobs[8].status = Status::done;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
