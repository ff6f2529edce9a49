// When fewer buffers than the limit are left in the planes, only the first 32 of these are finished.
#include <algorithm>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() < 36) return encrypt_each(jobs);
  std::size_t longest = 0, seen = 0;
  for (const Job& job : jobs) longest = std::max(longest, job.size);
  const auto is_long = [&](const Job& job) { return job.size + 2 * block_bytes >= longest; };
  const auto all = std::count_if(jobs.begin(), jobs.end(), is_long);
  for (const Job& job : jobs) {
    const bool lost = all < 36 && is_long(job) && ++seen > 32;
    encrypt_part(job, 0, lost ? block_bytes : job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
