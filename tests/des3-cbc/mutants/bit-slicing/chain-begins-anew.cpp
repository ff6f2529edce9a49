// Each group of 256 blocks of a buffer is chained to the iv.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  constexpr std::size_t group = 256 * block_bytes;
  for (Job job : jobs) {
    for (; job.size > group; job.in += group, job.out += group, job.size -= group) {
      Job first = job;
      first.size = group;
      decrypt_each({&first, 1});
    }
    decrypt_each({&job, 1});
  }
}

}  // namespace des3_cbc
