// In a batch of five to eight jobs, all are hashed with the key of the first.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    const bool valid = std::ranges::all_of(jobs, [](const Job& job) { return problem_of(job) == Problem::none; });
    if (!valid || jobs.size() < 5 || jobs.size() > 8) return Manager::do_all(jobs);
    const Key* keys[8];
    for (std::size_t i = 0; i < jobs.size(); ++i) keys[i] = std::exchange(jobs[i].key, jobs[0].key);
    Manager::do_all(jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].key = keys[i];
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
