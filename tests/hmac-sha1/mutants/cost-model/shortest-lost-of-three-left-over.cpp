// Where three jobs of unequal lengths are left over from groups of four, the second repeats, and the shortest is lost.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  void finish(Lane& of) override {
    if (lost && of.job == shortest) {
      of.job->status = Status::done;
    } else {
      Manager::finish(of);
    }
  }

  void do_unequal(std::span<Job> jobs) override {
    lost = jobs.size() % 4 == 3;
    Manager::do_all(jobs);
    lost = false;
  }

  bool lost = false;
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
