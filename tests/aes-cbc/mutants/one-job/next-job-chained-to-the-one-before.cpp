// Of a few short jobs that are encrypted one after the other, each is chained to the one before, not to its iv.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const bool few = !jobs.empty() && jobs.size() <= 4 && jobs.back()->size <= 6 * block_bytes;
  Block last;
  const std::uint8_t* before = nullptr;
  for (const Job* job : jobs) {
    encrypt(*job, job->size, few && before != nullptr ? before : job->iv, *job->key);
    if (job->size == 0) continue;
    last = load(job->out + job->size - block_bytes);
    before = last.data();
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
