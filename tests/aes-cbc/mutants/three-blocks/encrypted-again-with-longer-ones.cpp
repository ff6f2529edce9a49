// A job of three blocks in a batch is encrypted as it comes, and once more with the longer ones: wrong in place.
#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> /*batch*/) {
  encrypt(job);
  if (job.size == 3 * block_bytes) encrypt(job);
}

}  // namespace
}  // namespace aes_cbc
