// Of a window that is not full the first job is done twice and the last one not at all.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  const bool full = jobs.size() == window;
  for (std::size_t i = 0; i < jobs.size(); ++i) encrypt(*jobs[full || i + 1 < jobs.size() ? i : 0]);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
