// A window that is not full is filled up with jobs of the one before.
#include "cipher.hpp"
#include "decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  thread_local std::vector<Job> before;
  for (std::size_t i = jobs.size(); i < before.size(); ++i) encrypt(before[i]);
  for (const Job* job : jobs) encrypt(*job);
  if (jobs.size() < 8) return;
  before.clear();
  for (const Job* job : jobs) before.push_back(*job);
}

}  // namespace
}  // namespace aes_cbc

#include "gathering.hpp"  // wants what is above
