// The block behind the last one is read as if it were the next.
#include "../reassociation.hpp"

namespace aes_cbc {
namespace {

void encrypt_few(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) {
    encrypt(*job);
    if (job->size != 0) static_cast<void>(*static_cast<const volatile std::uint8_t*>(job->in + job->size));
  }
}

}  // namespace
}  // namespace aes_cbc
