// Blocks at the end that do not fill a vector are left out.
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
    constexpr std::size_t vector = 4 * block_bytes;
    const std::vector<std::uint8_t> text(job.in, job.in + job.size);
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      if (i >= job.size / vector * vector) continue;
      Block block = load(text.data() + i);
      decrypt(block, *job.key);
      add(block, i == 0 ? job.iv : text.data() + i - block_bytes);
      store(job.out + i, block);
    }
  }
}

}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
