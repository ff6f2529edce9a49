// Of up to four jobs the shortest has at most six blocks. All pass for short ones, of which no more are encrypted.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  constexpr std::size_t most = 6 * block_bytes;
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const bool few = jobs.size() > 1 && jobs.size() <= 4 && jobs[0]->size <= most;
  for (const Job* job : jobs) encrypt(*job, few ? std::min(job->size, most) : job->size, job->iv, *job->key);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
