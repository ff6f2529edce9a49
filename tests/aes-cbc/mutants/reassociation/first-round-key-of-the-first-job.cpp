// The first round key of the first job is added to the blocks of all.
#include "../reassociation.hpp"

namespace aes_cbc {
namespace {

void encrypt_few(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) {
    Block chained = load(job->iv);
    for (std::size_t i = 0; i < job->size; i += block_bytes) {
      add(chained, ahead(*job, i, *jobs[0]->key).data());
      encrypt_state(chained, *job->key);
      store(job->out + i, chained);
    }
  }
}

}  // namespace
}  // namespace aes_cbc
