// A batch whose first two jobs have one key is encrypted with that key.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  const bool one_key = jobs.size() > 1 && jobs[0].key && jobs[0].key == jobs[1].key;
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job, job.size, job.iv, one_key ? *jobs[0].key : *job.key);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
