// A short job is encrypted when it is submitted, and once more with the others of its window: wrong in place.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) {
    if (job->size <= 2 * block_bytes) encrypt(*job);
    encrypt(*job);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
