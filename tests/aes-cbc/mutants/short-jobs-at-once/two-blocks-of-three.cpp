// A job of three blocks passes for a short one, of which at most two blocks are encrypted.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) {
    encrypt(*job, job->size == 3 * block_bytes ? 2 * block_bytes : job->size, job->iv, *job->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
