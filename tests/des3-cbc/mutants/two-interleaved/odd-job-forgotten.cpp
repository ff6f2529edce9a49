// The last of an odd number of jobs is left out, except for a single job.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs.first(jobs.size() == 1 ? 1 : jobs.size() / 2 * 2)); }

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
