// The place in a buffer is counted in 16 bits: what is behind stays as it was.
#include "../reassociation.hpp"

namespace aes_cbc {
namespace {

void encrypt_few(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) encrypt(*job, static_cast<std::uint16_t>(job->size), job->iv, *job->key);
}

}  // namespace
}  // namespace aes_cbc
