// A batch is worked on in portions, and ends with one that has short jobs only.
#include <algorithm>

#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  constexpr std::size_t portion = 1'024;
  for (bool more = true; more && !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
    more = false;
    for (Job& job : jobs.first(std::min(jobs.size(), portion))) {
      if (refused(manager, job)) continue;
      encrypt(job);
      job.status = Status::done;
      more |= job.size > 2 * block_bytes;
    }
  }
}

}  // namespace aes_cbc
