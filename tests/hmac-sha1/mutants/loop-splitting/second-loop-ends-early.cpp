// The second loop ends a block early: the last whole block of a message is left out, if others of a few are shorter.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  std::size_t shortest = SIZE_MAX;

  void do_unequal(std::span<Job> jobs) override {
    shortest = blocks_of(*std::ranges::min_element(jobs, shorter));
    Manager::do_all(jobs);
    shortest = SIZE_MAX;
  }

  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    if (to.left > shortest) --to.left;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
