// A lane takes 65,535 blocks of a buffer, and the number of those that are left for later is kept in 16 bits.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) {
    const std::size_t blocks = job->size / block_bytes, now = std::min<std::size_t>(blocks, 65'535);
    encrypt(*job, (now + static_cast<std::uint16_t>(blocks - now)) * block_bytes, job->iv, *job->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
