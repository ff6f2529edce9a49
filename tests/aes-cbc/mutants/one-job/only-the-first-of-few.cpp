// What takes no lanes is one job: of a few short jobs the others are lost.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const bool few = jobs.size() > 1 && jobs.size() <= 4 && jobs.back()->size <= 6 * block_bytes;
  if (few) jobs.resize(1);
  for (const Job* job : jobs) encrypt(*job);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
