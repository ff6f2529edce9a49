// The block that is worked on is in one place for all threads, which is right as long as one works at a time.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) {
  static Block chained;
  chained = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    add(chained, job.in + i);
    encrypt(chained, *job.key);
    store(job.out + i, chained);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
