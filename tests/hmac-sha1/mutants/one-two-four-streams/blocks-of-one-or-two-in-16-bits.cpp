// In a batch of one or two long jobs, blocks are counted in 16 bits.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  bool one_or_two = false;

  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    if (one_or_two) to.left = static_cast<std::uint16_t>(to.left);
  }

  void do_all(std::span<Job> jobs) override {
    one_or_two = jobs.size() <= 2;
    Manager::do_all(jobs);
    one_or_two = false;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
