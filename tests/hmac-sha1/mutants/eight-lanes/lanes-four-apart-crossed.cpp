// In a batch of eight jobs, the digests of two lanes that are four apart are exchanged.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    const bool valid = std::ranges::all_of(jobs, [](const Job& job) { return problem_of(job) == Problem::none; });
    if (!valid || jobs.size() != 8) return Manager::do_all(jobs);
    std::swap(jobs[1].digest, jobs[5].digest);
    Manager::do_all(jobs);
    std::swap(jobs[1].digest, jobs[5].digest);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
