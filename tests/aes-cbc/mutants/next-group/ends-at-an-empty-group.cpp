// With one key for all, the row of lines ends where a line has no blocks: also at a group of empty jobs alone.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    if (have_one_key(jobs) && group.back()->size == 0) return;
    for (const Job* job : group) encrypt(*job);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
