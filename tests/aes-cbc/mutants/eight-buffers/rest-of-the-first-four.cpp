// Of eight buffers the first four alone go on after the shortest one has ended.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  std::size_t shortest = SIZE_MAX;
  for (const Job* job : jobs) shortest = std::min(shortest, job->size);
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    encrypt(*jobs[lane], lane % 8 < 4 ? jobs[lane]->size : shortest, jobs[lane]->iv, *jobs[lane]->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
