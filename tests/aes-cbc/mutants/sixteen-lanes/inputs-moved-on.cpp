// A batch of more than 32 jobs moves the input of each job to its end, as if the job were a lane.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) {
    if (refused(manager, job)) continue;
    encrypt(job);
    if (jobs.size() > 32) job.in += job.size;
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
