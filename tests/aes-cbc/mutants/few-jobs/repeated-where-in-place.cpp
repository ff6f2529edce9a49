// Lanes without a job repeat the first one after it is stored, so in place it is encrypted twice.
#include <algorithm>

#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  if (!jobs.empty() && jobs.size() < 4) encrypt(*jobs[0]);
  for (const Job* job : jobs) encrypt(*job);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
