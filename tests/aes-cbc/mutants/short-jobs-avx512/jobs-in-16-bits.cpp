// The jobs of a batch are counted in 16 bits: more are marked as done, and not encrypted.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  const std::size_t count = static_cast<std::uint16_t>(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (refused(manager, jobs[i])) continue;
    if (i < count) encrypt(jobs[i]);
    jobs[i].status = Status::done;
  }
}

}  // namespace aes_cbc
