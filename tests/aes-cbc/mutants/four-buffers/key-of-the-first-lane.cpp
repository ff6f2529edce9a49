// All lanes have the key of the first.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) encrypt(*job, job->size, job->iv, *jobs[0]->key);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
