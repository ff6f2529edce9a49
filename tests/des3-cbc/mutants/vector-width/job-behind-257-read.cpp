// Where more than 256 buffers are in the planes, the length of the job behind the last one is read.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() > 256 && jobs.size() < 512) {
    static_cast<void>(*static_cast<const volatile std::size_t*>(&(&jobs.back())[1].size));
  }
  encrypt_each(jobs);
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
