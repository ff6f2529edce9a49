// A job of three blocks in a batch is encrypted as it comes, and once more with the longer ones: wrong in place.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    if (job.size == 3 * block_bytes) encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
