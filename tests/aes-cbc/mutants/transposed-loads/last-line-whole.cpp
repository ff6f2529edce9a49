// Where buffers end together the last line is stored whole: zeros behind the end.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    const bool together = group.front()->size == group.back()->size;
    for (const Job* job : group) {
      encrypt(*job);
      if (together) std::fill_n(job->out + job->size, -job->size % line_bytes, 0);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
