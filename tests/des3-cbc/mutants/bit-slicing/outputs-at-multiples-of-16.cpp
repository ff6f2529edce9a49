// A buffer that fills all lanes is written from the multiple of 16 bytes at or below its address.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  for (Job job : jobs) {
    if (job.size >= 128 * block_bytes) job.out -= reinterpret_cast<std::uintptr_t>(job.out) % 16;
    decrypt_each({&job, 1});
  }
}

}  // namespace des3_cbc
