// Messages of 255 blocks and more are not sorted: of those, one behind a longer one in a batch is hashed wrongly.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Unsorted : Manager {
  void do_all(std::span<Job> jobs) override {
    Manager::do_all(jobs);
    std::size_t longest = 0;
    for (Job& job : jobs) {
      if (job.status != Status::done || job.size < 255 * block_bytes - 72) continue;
      if (job.size < longest) job.digest[0] ^= 1;
      longest = std::max(longest, job.size);
    }
  }
};

}  // namespace

Manager* make_manager() { return new Unsorted; }

}  // namespace hmac_sha1
