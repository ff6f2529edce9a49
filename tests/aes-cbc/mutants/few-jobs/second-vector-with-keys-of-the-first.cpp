// Of five to eight jobs, those in the second vector have the keys of those in the first.
#include <algorithm>

#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const bool two_vectors = jobs.size() > 4 && jobs.size() <= 8;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    encrypt(*jobs[i], jobs[i]->size, jobs[i]->iv, *jobs[two_vectors ? i % 4 : i]->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
