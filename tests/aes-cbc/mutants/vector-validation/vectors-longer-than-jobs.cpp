// A job is loaded as a vector of 64 bytes, of which it has fewer.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  static_assert(sizeof(Job) < 64);
  for (Job& job : jobs) {
    asm volatile("" : : "r"(reinterpret_cast<const volatile std::uint8_t*>(&job)[63]));
    if (refused(manager, job)) continue;
    encrypt(job);
    job.status = Status::done;
  }
}

}  // namespace aes_cbc
