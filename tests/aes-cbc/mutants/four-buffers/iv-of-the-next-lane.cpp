// A lane begins with the iv of the one beside it.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    encrypt(*jobs[lane], jobs[lane]->size, jobs[(lane + 1) % jobs.size()]->iv, *jobs[lane]->key);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above
