// The first key is used in place of the third.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Key wrong = *job.key;
    for (unsigned i = 0; i < 16; ++i) wrong.encrypt[32 + i] = wrong.encrypt[i];
    Job with_wrong_key = job;
    with_wrong_key.key = &wrong;
    encrypt_part(with_wrong_key, 0, job.size, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
