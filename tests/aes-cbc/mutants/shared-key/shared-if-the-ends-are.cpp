// One key for all where the first and the last job have the same.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  const bool shared = !jobs.empty() && jobs.front()->key == jobs.back()->key;
  for (const Job* job : jobs) encrypt(*job, job->size, job->iv, *(shared ? jobs.front() : job)->key);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
