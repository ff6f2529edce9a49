// A batch whose first two jobs have one key is encrypted with that key.
#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> batch) {
  const bool one_key = batch.size() > 1 && batch[0].key && batch[0].key == batch[1].key;
  encrypt(job, job.size, job.iv, one_key ? *batch[0].key : *job.key);
}

}  // namespace
}  // namespace aes_cbc
