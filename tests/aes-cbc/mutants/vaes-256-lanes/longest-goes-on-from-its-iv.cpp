// Where a lane ends, the longest job goes on from its iv and not from its last block.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(std::vector<Job*> jobs) {
  constexpr std::size_t lanes = 16;
  std::ranges::stable_sort(jobs, {}, &Job::size);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::size_t group = i - i % lanes, last = std::min(group + lanes, jobs.size()) - 1;
    const std::size_t shared = jobs[group]->size;
    if (i != last || shared == jobs[i]->size) {
      encrypt(*jobs[i]);
      continue;
    }
    Job rest = *jobs[i];
    encrypt(rest, shared, rest.iv, *rest.key);
    rest.in += shared, rest.out += shared, rest.size -= shared;
    encrypt(rest);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
