// A batch of which three jobs are left over from groups of four does two of them, and marks the third.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    if (jobs.size() % 4 == 3) {
      if (!refused(jobs.back())) jobs.back().status = Status::done;
      jobs = jobs.first(jobs.size() - 1);
    }
    Manager::do_all(jobs);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
