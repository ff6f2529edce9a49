// In place, the first block of the second group is added to plain text instead of the encrypted block before it.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  constexpr std::size_t group = 128 * block_bytes;
  for (Job job : jobs) {
    if (job.in == job.out && job.size > group) {
      Job first = job;
      first.size = group;
      decrypt_each({&first, 1});
      job = {job.in + group, job.out + group, job.size - group, job.key, job.out + group - block_bytes};
    }
    decrypt_each({&job, 1});
  }
}

}  // namespace des3_cbc
