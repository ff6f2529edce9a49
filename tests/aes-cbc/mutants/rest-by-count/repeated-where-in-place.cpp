// Lanes without a job repeat the first one after it is stored, so in place it is encrypted twice.
#include <algorithm>

#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const std::size_t rest = jobs.size() % 8;
  if (rest == 2 || rest == 3) encrypt(*jobs[0]);
  for (const Job* job : jobs) encrypt(*job);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
