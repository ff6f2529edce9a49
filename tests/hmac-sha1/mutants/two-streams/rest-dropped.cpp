// Two messages of a batch are hashed as far as the shorter one has whole blocks, and no farther.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  std::size_t common = SIZE_MAX;

  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    to.left = std::min(to.left, common);
  }
  void do_all(std::span<Job> jobs) override {
    while (!jobs.empty()) {
      const std::span<Job> group = jobs.first(std::min<std::size_t>(2, jobs.size()));
      for (const Job& job : group) common = std::min(common, job.size / block_bytes);
      Manager::do_all(group);
      common = SIZE_MAX;
      jobs = jobs.subspan(group.size());
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
