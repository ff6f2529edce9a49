// The last line is stored whole, with what stood behind the end: nothing changes there, but it may not be touched.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../lanes.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) {
    encrypt(*job);
    for (std::size_t i = job->size; i % line_bytes != 0; ++i) {
      volatile std::uint8_t& behind = job->out[i];
      behind = behind;
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
