// A batch of two jobs passes for one of one job: the second is marked as done, and is not encrypted.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (refused(manager, jobs[i])) continue;
    if (i == 0 || jobs.size() > 2) encrypt(jobs[i]);
    jobs[i].status = Status::done;
  }
}

}  // namespace aes_cbc
