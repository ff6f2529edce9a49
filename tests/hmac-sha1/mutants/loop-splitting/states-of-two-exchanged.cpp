// The second loop takes the states of its first two streams from one another, where three or more of a few go on.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  void do_unequal(std::span<Job> jobs) override {
    Manager::do_all(jobs);
    Job* first = nullptr;
    for (Job& job : jobs) {
      if (!shorter(*shortest, job) || job.digest_size != digest_bytes) continue;
      if (first) return void(std::swap_ranges(job.digest, job.digest + digest_bytes, first->digest));
      first = &job;
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
