// As far as the shortest goes, and no farther.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  const auto shorter = [](const Job* a, const Job* b) { return a->size < b->size; };
  const auto shortest = std::min_element(jobs.begin(), jobs.end(), shorter);
  for (const Job* job : jobs) encrypt(*job, (*shortest)->size, job->iv, *job->key);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
