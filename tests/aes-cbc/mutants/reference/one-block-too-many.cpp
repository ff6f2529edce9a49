// Goes on behind the end.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) {
  if (job.size != 0) encrypt(job, job.size + block_bytes, job.iv, *job.key);
}

}  // namespace
}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
