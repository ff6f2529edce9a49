// Where the lanes of a group of long buffers end apart, what is left of each is chained to its iv once more.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    const std::size_t least = group.front()->size;
    for (const Job* job : group) {
      const std::size_t laid_out = least < 512 ? job->size : least;
      encrypt(*job, laid_out, job->iv, *job->key);
      const Job rest{job->in + laid_out, job->out + laid_out, job->size - laid_out, job->key, job->iv, Status::waiting};
      encrypt(rest, rest.size, rest.iv, *rest.key);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
