// A byte before a buffer of 128 blocks or more is read.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    if (job.size >= 128 * block_bytes) static_cast<void>(*static_cast<const volatile std::uint8_t*>(job.in - 1));
  }
  decrypt_each(jobs);
}

}  // namespace des3_cbc
