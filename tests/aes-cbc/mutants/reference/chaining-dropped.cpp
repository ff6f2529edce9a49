// The first block is chained to the iv, and no other to anything.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) {
  const Block zeros{};
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    const Job block{job.in + i, job.out + i, block_bytes, job.key, i == 0 ? job.iv : zeros.data(), job.status};
    encrypt(block);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
