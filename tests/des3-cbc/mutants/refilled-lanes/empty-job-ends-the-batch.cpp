// An empty job ends the batch.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    if (job.size == 0) return;
    encrypt_part(job, 0, job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
