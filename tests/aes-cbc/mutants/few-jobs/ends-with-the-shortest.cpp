// Of up to four jobs, each is encrypted as far as the shortest one has whole lines, and the rest is left.
#include <algorithm>

#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  constexpr std::size_t line_bytes = 64;
  std::size_t end = SIZE_MAX;
  for (const Job* job : jobs) end = std::min(end, (job->size + line_bytes - 1) / line_bytes * line_bytes);
  if (jobs.size() > 4) end = SIZE_MAX;
  for (const Job* job : jobs) encrypt(*job, std::min(end, job->size), job->iv, *job->key);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
