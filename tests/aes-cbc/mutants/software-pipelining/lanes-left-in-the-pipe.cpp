// With one key for all, a line is stored between the blocks of the next one, four lanes each time: where that has fewer
// than four blocks, some lanes are not stored.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    const std::size_t most = group.back()->size, blocks = most % line_bytes / block_bytes;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Job& job = *group[lane];
      const bool left = have_one_key(jobs) && blocks != 0 && lane >= 4 * blocks && most > line_bytes;
      const std::size_t begin = left ? std::min(job.size, most / line_bytes * line_bytes - line_bytes) : 0;
      const std::size_t end = left ? std::min(job.size, begin + line_bytes) : 0;
      const std::vector<std::uint8_t> before(job.out + begin, job.out + end);
      encrypt(job);
      std::copy(before.begin(), before.end(), job.out + begin);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
