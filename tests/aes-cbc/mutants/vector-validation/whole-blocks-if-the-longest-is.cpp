// Of a batch the longest job alone is asked whether it is whole blocks; the others are done as far as they go.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  std::size_t most = 0;
  for (const Job& job : jobs) most = std::max(most, job.size);
  for (Job& job : jobs) {
    const bool whole = problem_of(job) != Problem::not_whole_blocks;
    const bool spoiled = most % block_bytes == 0 && !whole && job.out && job.iv;
    if (!spoiled && refused(manager, job)) continue;
    encrypt(job, job.size / block_bytes * block_bytes, job.iv, *job.key);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
