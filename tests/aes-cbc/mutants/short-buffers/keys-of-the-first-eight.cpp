// Of a group of short buffers the second eight lanes have the keys of the first.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    const bool is_short = group.back()->size <= line_bytes;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Job& job = *group[lane];
      encrypt(job, job.size, job.iv, *group[is_short ? lane % 8 : lane]->key);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
