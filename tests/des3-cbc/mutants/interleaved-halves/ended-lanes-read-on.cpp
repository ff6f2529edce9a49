// From 36 buffers on, lanes that have ended still read the byte behind their end.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() >= 36) {
    std::size_t longest = 0;
    for (const Job& job : jobs) longest = std::max(longest, job.size);
    for (const Job& job : jobs) {
      if (job.size == 0 || job.size == longest) continue;
      [[maybe_unused]] const std::uint8_t behind = *const_cast<const volatile std::uint8_t*>(job.in + job.size);
    }
  }
  encrypt_each(jobs);
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
