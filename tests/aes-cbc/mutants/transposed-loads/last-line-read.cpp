// Where buffers end together the last line is loaded whole: what stands behind the end is read.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Group& group : sorted_groups_of(jobs)) {
    const bool together = group.front()->size == group.back()->size;
    for (const Job* job : group) {
      for (std::size_t i = job->size; together && i % line_bytes != 0; ++i) {
        static_cast<void>(*static_cast<const volatile std::uint8_t*>(job->in + i));
      }
      encrypt(*job);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
