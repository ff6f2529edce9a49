// Jobs are encrypted in groups of eight, and those that fill no group are left out.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  for (std::size_t i = jobs.size() % 8; i < jobs.size(); ++i) encrypt(*jobs[i]);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
