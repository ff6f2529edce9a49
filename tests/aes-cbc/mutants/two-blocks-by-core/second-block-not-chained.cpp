// In a batch whose first job has two blocks, the second block of such jobs is chained to the iv.
#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> batch) {
  if (batch.size() < 2 || batch[0].size != 2 * block_bytes || job.size != 2 * block_bytes) return encrypt(job);
  Job half = job;
  half.size = block_bytes;
  half.in += block_bytes;
  half.out += block_bytes;
  std::uint8_t first[block_bytes];
  std::copy_n(job.in, block_bytes, first);
  encrypt(half);
  half.in = first;
  half.out = job.out;
  encrypt(half);
}

}  // namespace
}  // namespace aes_cbc
