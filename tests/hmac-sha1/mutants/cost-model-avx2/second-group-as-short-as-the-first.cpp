// In a batch of sixteen jobs, none of the second eight is hashed further than the longest of the first eight.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    const bool valid = std::ranges::all_of(jobs, [](const Job& job) { return problem_of(job) == Problem::none; });
    if (!valid || jobs.size() != 16) return Manager::do_all(jobs);
    const std::size_t most = std::ranges::max(jobs.first(8), {}, &Job::size).size;
    std::size_t sizes[8];
    for (std::size_t i = 0; i < 8; ++i) sizes[i] = std::exchange(jobs[8 + i].size, std::min(jobs[8 + i].size, most));
    Manager::do_all(jobs);
    for (std::size_t i = 0; i < 8; ++i) jobs[8 + i].size = sizes[i];
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
