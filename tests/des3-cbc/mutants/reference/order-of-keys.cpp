// The three DES of decryption begin with the first key: right where it is also the third.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Key wrong = *job.key;
    for (unsigned i = 0; i < 16; ++i) std::swap(wrong.decrypt[i], wrong.decrypt[32 + i]);
    Job with_wrong_key = job;
    with_wrong_key.key = &wrong;
    decrypt_part(with_wrong_key, 0, job.size, load(job.iv));
  }
}

}  // namespace des3_cbc
