// When just 256 of more buffers are left, the last of these is not finished.
#include <algorithm>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  std::size_t longest = 0;
  for (const Job& job : jobs) longest = std::max(longest, job.size);
  const auto is_longest = [&](const Job& job) { return job.size == longest; };
  const bool loses = jobs.size() > 256 && std::ranges::count_if(jobs, is_longest) == 256;
  std::size_t seen = 0;
  for (const Job& job : jobs) {
    const bool lost = loses && is_longest(job) && ++seen == 256;
    encrypt_part(job, 0, lost ? block_bytes : job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
