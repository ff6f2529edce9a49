// A batch of invalid jobs alone leaves those that waited with the manager.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Forgetting : Manager {
  void do_all(std::span<Job> jobs) override {
    const auto valid = [](const Job& job) { return problem_of(job) == Problem::none; };
    if (jobs.empty() || std::ranges::any_of(jobs, valid)) return Manager::do_all(jobs);
    for (Job& job : jobs) refused(job);
  }
};

}  // namespace

Manager* make_manager() { return new Forgetting; }

}  // namespace hmac_sha1
