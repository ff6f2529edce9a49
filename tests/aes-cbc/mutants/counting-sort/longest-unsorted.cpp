// Jobs are sorted by bins alone, the last of which is for all longer ones. A group goes as far as its last job.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {},
                           [](const Job* job) { return std::min<std::size_t>(job->size / block_bytes, 255); });
  for (const Group& group : groups_of(jobs)) {
    for (const Job* job : group) encrypt(*job, std::min(job->size, group.back()->size), job->iv, *job->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
