// An invalid job that is a batch of its own is not encrypted, and is marked as done.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) {
    if (!refused(manager, job)) encrypt(job);
    if (jobs.size() == 1 || job.status != Status::invalid) job.status = Status::done;
  }
}

}  // namespace aes_cbc
