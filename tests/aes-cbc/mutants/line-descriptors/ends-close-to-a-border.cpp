// With one key for all, the row of lines ends where a line has no blocks: also where the border is nearer than a block.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    const std::size_t bytes = bytes_to_border(group);
    if (have_one_key(jobs) && bytes != 0 && bytes < block_bytes) return;
    for (const Job* job : group) encrypt(*job);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
