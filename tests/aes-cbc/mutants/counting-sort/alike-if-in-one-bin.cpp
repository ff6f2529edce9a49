// Jobs of one bin are taken for jobs of one length, which need no sorting: all longer ones share the last bin. A group
// goes as far as its last job.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  const auto bin = [](const Job* job) { return std::min<std::size_t>(job->size / block_bytes, 255); };
  const bool alike = std::ranges::all_of(jobs, [&](const Job* job) { return bin(job) == bin(jobs[0]); });
  for (const Group& group : alike ? groups_of(jobs) : sorted_groups_of(jobs)) {
    for (const Job* job : group) encrypt(*job, std::min(job->size, group.back()->size), job->iv, *job->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
