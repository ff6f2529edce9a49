// Of a group of sixteen, each fourth lane begins with the iv of the lane beside it.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Job& job = *group[lane];
      encrypt(job, job.size, group[lane % 4 == 3 ? lane - 1 : lane]->iv, *job.key);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
