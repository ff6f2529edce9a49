// Keeps the chain in the iv, as some libraries do for the next call.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) {
  encrypt(job);
  if (job.size != 0) store(const_cast<std::uint8_t*>(job.iv), load(job.out + job.size - block_bytes));
}

}  // namespace
}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
