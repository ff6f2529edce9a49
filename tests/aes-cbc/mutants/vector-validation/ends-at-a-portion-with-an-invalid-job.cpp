// A batch is worked on in portions, and ends with one that an invalid job is in.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  constexpr std::size_t portion = 1'024;
  for (bool valid = true; valid && !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
    for (Job& job : jobs.first(std::min(jobs.size(), portion))) {
      if (refused(manager, job)) {
        valid = false;
        continue;
      }
      encrypt(job);
      job.status = Status::done;
    }
  }
}

}  // namespace aes_cbc
