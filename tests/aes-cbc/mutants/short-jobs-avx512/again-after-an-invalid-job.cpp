// A batch with an invalid job begins again with all jobs. Short ones are encrypted already: wrong in place.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  const auto invalid = [](const Job& job) { return problem_of(job) != Problem::none; };
  const bool again = std::ranges::any_of(jobs, invalid);
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    if (again && job.size <= block_bytes) encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
