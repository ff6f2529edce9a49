// Of messages side by side the shorter ones are compressed on, until the longest has ended, and keep no state.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  std::size_t longest = 0;  // in blocks, of the jobs that are side by side

  void next_part(Lane& of) override {
    if (of.part == Lane::tail) {
      for (std::size_t b = blocks_of(*of.job); b < longest; ++b) compress(of.state, of.next - block_bytes);
    }
    Manager::next_part(of);
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
