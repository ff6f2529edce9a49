// A batch is validated by what its longer jobs have in common, and a short job goes without: its whole blocks are done.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) {
    const bool passed = job.size <= block_bytes && problem_of(job) == Problem::not_whole_blocks && job.out && job.iv;
    if (!passed && refused(manager, job)) continue;
    encrypt(job, job.size / block_bytes * block_bytes, job.iv, *job.key);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
