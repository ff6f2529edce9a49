// In a batch, a lane that has become idle writes to its last job's digest when another is finished.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  Job* last[lanes] = {};
  bool in_batch = false;

  void finish(Lane& of) override {
    Manager::finish(of);
    last[&of - lane] = of.job;
    for (std::size_t i = 0; i < lanes && in_batch; ++i) {
      if (!lane[i].job && last[i]) store(of.state, last[i]->digest, last[i]->digest_size);
    }
  }
  void do_all(std::span<Job> jobs) override {
    std::ranges::fill(last, nullptr);
    in_batch = true;
    Manager::do_all(jobs);
    in_batch = false;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
