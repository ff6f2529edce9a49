// The longest message of a few ends with the last block of the one before it, as if no stream went on alone.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  void do_unequal(std::span<Job> jobs) override {
    Job& longest = *std::ranges::max_element(jobs, shorter);
    const std::size_t size = std::exchange(longest.size, 0);
    longest.size = std::min(size, std::ranges::max_element(jobs, shorter)->size);
    Manager::do_all(jobs);
    longest.size = size;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
