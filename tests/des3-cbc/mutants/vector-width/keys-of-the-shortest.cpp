// What the wide planes hand on is encrypted with the keys of the first lanes, which hold the shortest buffers.
#include <algorithm>
#include <vector>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  constexpr std::size_t half = 256;
  std::vector<Job> sorted(jobs.begin(), jobs.end());
  std::ranges::stable_sort(sorted, {}, &Job::size);
  const std::size_t first = sorted.size() < half ? 0 : sorted.size() - half;
  const std::size_t common = first == 0 ? 0 : sorted[first - 1].size;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    Job job = sorted[i];
    const Block chain = encrypt_part(job, 0, std::min(common, job.size), load(job.iv));
    if (i >= first) job.key = sorted[i - first].key;
    encrypt_part(job, std::min(common, job.size), job.size, chain);
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
