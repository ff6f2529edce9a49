// The lanes from 64 on have the keys of the lanes 64 before them.
#include <vector>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  std::vector<Job> wrong(jobs.begin(), jobs.end());
  for (std::size_t i = 64; i < jobs.size(); ++i) wrong[i].key = jobs[i - 64].key;
  encrypt_each(wrong);
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
