// The first block of each set from the third on is xored with the last one of the set before the last.
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
    const std::vector<std::uint8_t> text(job.in, job.in + job.size);
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      Block block = load(text.data() + i);
      decrypt(block, *job.key);
      const std::size_t back = i % set == 0 && i > set ? set + block_bytes : block_bytes;
      add(block, i == 0 ? job.iv : text.data() + i - back);
      store(job.out + i, block);
    }
  }
}

}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
