// Of nine to fifteen jobs of unequal lengths, two groups of four are done, and the others are marked as done.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  void do_unequal(std::span<Job> jobs) override {
    if (jobs.size() < 9 || jobs.size() > 15) return Manager::do_all(jobs);
    Manager::do_all(jobs.first(8));
    for (Job& job : jobs.subspan(8)) job.status = Status::done;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
