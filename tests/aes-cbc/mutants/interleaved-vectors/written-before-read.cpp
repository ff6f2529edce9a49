// Each block of a set is written before the next one is xored with it, so buffers in place are wrong.
#include "../cipher.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) { encrypt(job); }  // it is right

}  // namespace

void decrypt(std::span<Job> jobs) {
  for (Job& job : jobs) {
    const bool valid = problem_of(job) == Problem::none;
    job.status = valid ? Status::done : Status::invalid;
    if (!valid) continue;
    constexpr std::size_t set = 16 * block_bytes;
    Block before = load(job.iv);
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      const Block ciphered = load(job.in + i);
      Block block = ciphered;
      decrypt(block, *job.key);
      const bool in_set = i % set != 0 && i / set < job.size / set;
      add(block, in_set ? job.in + i - block_bytes : before.data());
      store(job.out + i, block);
      before = ciphered;
    }
  }
}

}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
