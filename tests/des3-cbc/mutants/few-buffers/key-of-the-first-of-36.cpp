// With just as many buffers as the planes begin with, all lanes have the key of the first.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (Job job : jobs) {
    if (jobs.size() == 36) job.key = jobs.front().key;
    encrypt_part(job, 0, job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
