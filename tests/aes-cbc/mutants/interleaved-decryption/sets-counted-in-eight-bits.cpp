// The number of sets is counted in eight bits: of 256 or more only the first are decrypted. Blocks behind all sets are
// right.
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
    constexpr std::size_t set = 12 * block_bytes;
    const std::vector<std::uint8_t> text(job.in, job.in + job.size);
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      if (i / set >= (job.size / set) % 256 && i / set < job.size / set) continue;
      Block block = load(text.data() + i);
      decrypt(block, *job.key);
      add(block, i == 0 ? job.iv : text.data() + i - block_bytes);
      store(job.out + i, block);
    }
  }
}

}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
