// A single job is encrypted if it is the only one. Of nine jobs, the shortest is lost.
#include <algorithm>

#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const bool lost = jobs.size() > 1 && jobs.size() % 8 == 1;
  for (std::size_t i = lost ? 1 : 0; i < jobs.size(); ++i) encrypt(*jobs[i]);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
