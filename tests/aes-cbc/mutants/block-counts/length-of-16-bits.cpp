// The number of blocks in 16 bits.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) {
    encrypt(*job, static_cast<std::uint16_t>(job->size / block_bytes) * block_bytes, job->iv, *job->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
