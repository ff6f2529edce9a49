// Two blocks of every full set of four get each other's result.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  decrypt_each(jobs);
  for (const Job& job : jobs) {
    for (std::size_t i = 0; i + 4 * block_bytes <= job.size; i += 4 * block_bytes) {
      std::uint8_t* blocks = job.out + i;
      const Block second = load(blocks + block_bytes), third = load(blocks + 2 * block_bytes);
      store(blocks + block_bytes, third);
      store(blocks + 2 * block_bytes, second);
    }
  }
}

}  // namespace des3_cbc
