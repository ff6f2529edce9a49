// Where two streams run, both end with the shorter message.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    if (jobs.size() != 2) return Manager::do_all(jobs);
    const std::size_t size = std::min(jobs[0].size, jobs[1].size), sizes[] = {jobs[0].size, jobs[1].size};
    for (Job& job : jobs) job.size = std::min(job.size, size);
    Manager::do_all(jobs);
    for (int i = 0; i < 2; ++i) jobs[i].size = sizes[i];
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
