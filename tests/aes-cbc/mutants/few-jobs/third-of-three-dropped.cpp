// A vector of four lanes takes one, two or four jobs. The longest of three is lost.
#include <algorithm>

#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  if (jobs.size() == 3) jobs.pop_back();
  for (const Job* job : jobs) encrypt(*job);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
