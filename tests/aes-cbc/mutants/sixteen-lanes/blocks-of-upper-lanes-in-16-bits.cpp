// Of a batch of nine to thirty-two jobs, those from the ninth on count their blocks in 16 bits.
#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> batch) {
  if (batch.size() > 32 || &job - batch.data() < 8) return encrypt(job);
  Job counted = job;
  counted.size = static_cast<std::uint16_t>(job.size / block_bytes) * block_bytes;
  encrypt(counted);
}

}  // namespace
}  // namespace aes_cbc
