// Of a job that is a batch of its own, the last of three or more blocks is left, where their number is odd.
#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> batch) {
  const std::size_t blocks = job.size / block_bytes;
  const bool left = batch.size() == 1 && blocks >= 3 && blocks % 2 == 1;
  encrypt(job, left ? job.size - block_bytes : job.size, job.iv, *job.key);
}

}  // namespace
}  // namespace aes_cbc
