// The last block is written over the iv.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    const Block chain = encrypt_part(job, 0, job.size, load(job.iv));
    store(const_cast<std::uint8_t*>(job.iv), chain);
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
