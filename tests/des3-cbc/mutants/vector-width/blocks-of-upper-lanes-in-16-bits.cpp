// From the 65th job of a batch on, blocks are counted in 16 bits.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Job job = jobs[i];
    if (i >= 64) job.size = static_cast<std::uint16_t>(job.size / block_bytes) * block_bytes;
    encrypt_each({&job, 1});
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
