// The blocks of a buffer are counted in 16 bits.
#include "../blocks.hpp"

namespace des3_cbc {
namespace {

std::size_t counted(const Job& job) { return static_cast<std::uint16_t>(job.size / block_bytes) * block_bytes; }

}  // namespace

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) encrypt_part(job, 0, counted(job), load(job.iv));
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) decrypt_part(job, 0, counted(job), load(job.iv));
}

}  // namespace des3_cbc
