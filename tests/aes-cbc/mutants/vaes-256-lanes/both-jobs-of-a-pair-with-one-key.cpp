// The round keys of a pair are laid out from its first job: the second is encrypted with that key, where jobs are long.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  constexpr std::size_t lanes = 16;
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const std::size_t rest = jobs.size() % lanes;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bool second = i >= rest && (i - rest) % 2 == 1 && jobs[i]->size >= 8 * block_bytes;
    encrypt(*jobs[i], jobs[i]->size, jobs[i]->iv, *jobs[second ? i - 1 : i]->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
