// One block too few.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) { encrypt(job, job.size - std::min(job.size, block_bytes), job.iv, *job.key); }

}  // namespace
}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
