// The last of an odd number of blocks is left out, except for a single block.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    const std::size_t pairs = job.size / (2 * block_bytes) * 2 * block_bytes;
    decrypt_part(job, 0, pairs == 0 ? job.size : pairs, load(job.iv));
  }
}

}  // namespace des3_cbc
