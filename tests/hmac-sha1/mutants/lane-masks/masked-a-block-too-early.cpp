// Of messages side by side the shorter ones are masked a block too early: their last block is lost.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  std::size_t longest = 0;  // in blocks, of the jobs that are side by side

  void next_part(Lane& of) override {
    const bool body = of.part == Lane::body;
    Manager::next_part(of);
    if (body && blocks_of(*of.job) < longest) --of.left;
  }
  void do_all(std::span<Job> jobs) override {
    while (!jobs.empty()) {
      const std::span<Job> group = jobs.first(std::min(lanes, jobs.size()));
      for (const Job& job : group) {
        if (problem_of(job) == Problem::none) longest = std::max(longest, blocks_of(job));
      }
      Manager::do_all(group);
      longest = 0;
      jobs = jobs.subspan(group.size());
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
