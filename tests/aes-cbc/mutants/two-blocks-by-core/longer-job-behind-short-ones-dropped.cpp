// In a batch whose first job has two blocks, the jobs from the first longer one on are marked as done, not encrypted.
#include <algorithm>

#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> batch) {
  const auto longer = std::ranges::find_if(batch, [](const Job& one) { return one.size > 2 * block_bytes; });
  if (batch[0].size != 2 * block_bytes || &job - batch.data() < longer - batch.begin()) encrypt(job);
}

}  // namespace
}  // namespace aes_cbc
