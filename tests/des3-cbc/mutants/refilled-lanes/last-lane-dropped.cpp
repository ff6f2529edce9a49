// When there is no next job, both lanes are dropped: the one that has ended and the one that has not.
#include <algorithm>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() < 2) return encrypt_each(jobs);
  encrypt_each(jobs.first(jobs.size() - 2));
  const auto last = jobs.last(2);
  const std::size_t common = std::min(last[0].size, last[1].size);
  for (const Job& job : last) encrypt_part(job, 0, common, load(job.iv));
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
