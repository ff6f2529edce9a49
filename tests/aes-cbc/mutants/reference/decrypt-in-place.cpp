// Deciphering in place takes for the block before what has been written there.
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
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      Block block = load(job.in + i);
      decrypt(block, *job.key);
      add(block, i == 0 ? job.iv : job.in + i - block_bytes);
      store(job.out + i, block);
    }
  }
}

}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
