// Jobs sorted into 256 bins by their blocks: those in the last bin are marked as done, but not hashed.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    for (Job& job : jobs) {
      if (refused(job)) continue;
      job.status = Status::done;
      if (blocks_of(job) < 255) take(job);
    }
    while (give_back()) {
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
