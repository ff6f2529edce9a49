// Of a rest of two to four jobs, each is encrypted as far as the shortest one goes.
#include <algorithm>

#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const std::size_t rest = jobs.size() % 8, in_four_lanes = rest > 1 && rest <= 4 ? rest : 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    encrypt(*jobs[i], i < in_four_lanes ? jobs[0]->size : jobs[i]->size, jobs[i]->iv, *jobs[i]->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
