// With one key for all, a group begins with what the one before it came to, not with its ivs.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  const bool shared = have_one_key(jobs);
  const Job* before[lanes] = {};
  for (const Group& group : sorted_groups_of(jobs)) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Job& job = *group[lane];
      const Job* const chained = shared ? std::exchange(before[lane], &job) : nullptr;
      const bool goes_on = chained && chained->size != 0;
      encrypt(job, job.size, goes_on ? chained->out + chained->size - block_bytes : job.iv, *job.key);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
