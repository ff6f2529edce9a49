// The last round has no tables, and does not shift rows.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) {
  Block block = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    add(block, job.in + i);
    add(block, job.key->encrypting[0].data());
    for (unsigned round = 1; round <= rounds; ++round) {
      const Block from = block;
      const unsigned step = round == rounds ? 1 : 5;
      for (unsigned byte = 0; byte < block_bytes; ++byte) block[byte] = s_box[from[step * byte % block_bytes]];
      if (round != rounds) mix_columns(block);
      add(block, job.key->encrypting[round].data());
    }
    store(job.out + i, block);
  }
}

}  // namespace
}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
