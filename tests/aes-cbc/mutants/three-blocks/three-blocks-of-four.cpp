// A job of four blocks in a batch passes for a short one, of which at most three blocks are encrypted.
#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> /*batch*/) {
  encrypt(job, job.size == 4 * block_bytes ? 3 * block_bytes : job.size, job.iv, *job.key);
}

}  // namespace
}  // namespace aes_cbc
