// When one of two lanes goes on alone, it continues the chain of the other.
#include <algorithm>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (; jobs.size() >= 2; jobs = jobs.subspan(2)) {
    const std::size_t common = std::min(jobs[0].size, jobs[1].size);
    const Block first = encrypt_part(jobs[0], 0, common, load(jobs[0].iv));
    const Block second = encrypt_part(jobs[1], 0, common, load(jobs[1].iv));
    encrypt_part(jobs[0], common, jobs[0].size, second);
    encrypt_part(jobs[1], common, jobs[1].size, first);
  }
  encrypt_each(jobs);
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
