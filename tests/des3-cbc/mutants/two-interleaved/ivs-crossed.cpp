// Two lanes use each other's iv.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (; jobs.size() >= 2; jobs = jobs.subspan(2)) {
    encrypt_part(jobs[0], 0, jobs[0].size, load(jobs[1].iv));
    encrypt_part(jobs[1], 0, jobs[1].size, load(jobs[0].iv));
  }
  encrypt_each(jobs);
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
