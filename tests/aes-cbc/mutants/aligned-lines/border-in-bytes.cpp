// The way to the border is no whole blocks where a buffer is not aligned to them, and those before it are skipped.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    const std::size_t offset = bytes_to_border(group), skipped = offset % block_bytes == 0 ? 0 : offset;
    for (const Job* job : group) {
      const Job rest{job->in + skipped, job->out + skipped, 0, job->key, job->iv, Status::waiting};
      encrypt(rest, (job->size - skipped) / block_bytes * block_bytes, rest.iv, *rest.key);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
