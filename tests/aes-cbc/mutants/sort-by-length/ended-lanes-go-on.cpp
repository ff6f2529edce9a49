// Lanes that have ended go on as far as the longest, up to a multiple of two blocks.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  std::size_t most = 0;
  for (const Job* job : jobs) most = std::max(most, job->size);
  for (const Job* job : jobs) encrypt(*job, std::min(most, (job->size + 31) / 32 * 32), job->iv, *job->key);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
