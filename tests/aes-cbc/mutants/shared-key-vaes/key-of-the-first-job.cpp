// The key of the first group is used for all groups whose jobs share one.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  const Key* first = nullptr;
  for (const Group& group : sorted_groups_of(jobs)) {
    const Key* const key = group.back()->key;
    const bool shared = std::ranges::all_of(group, [&](const Job* job) { return job->size == 0 || job->key == key; });
    if (shared && first == nullptr) first = key;
    for (const Job* job : group) encrypt(*job, job->size, job->iv, shared ? *first : *job->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
