// What does not fill sixteen lanes takes eight, and what is more than eight is lost.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  constexpr std::size_t lanes = 16, fewer = 8;
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const std::size_t rest = jobs.size() % lanes;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (i < fewer || i >= rest) encrypt(*jobs[i]);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
