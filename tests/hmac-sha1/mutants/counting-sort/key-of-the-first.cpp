// All jobs of a batch have a key if the first has.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    const Key* const first = jobs.empty() ? nullptr : jobs[0].key;
    for (Job& job : jobs) {
      const Key* const key = job.key;
      if (!key) job.key = first;
      Manager::do_all({&job, 1});
      job.key = key;
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
