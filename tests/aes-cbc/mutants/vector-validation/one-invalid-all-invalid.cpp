// A look at a batch tells that one of its jobs is invalid, and all are marked so.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  const bool valid = std::ranges::all_of(jobs, [](const Job& job) { return problem_of(job) == Problem::none; });
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    if (valid) encrypt(job);
    job.status = valid ? Status::done : Status::invalid;
  }
}

}  // namespace aes_cbc
