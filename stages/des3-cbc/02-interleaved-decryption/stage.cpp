// Interleaved decryption: two blocks of one buffer, round by round.
#include "des3-cbc/02-interleaved-decryption/decrypt.hpp"

namespace des3_cbc {
namespace {

Block ciphered(Block block, const Schedule& schedule) {
  Blocks<1> blocks{block};
  cipher(blocks, {&schedule}, std::make_index_sequence<1>());
  return blocks[0];
}

}  // namespace

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      chain = ciphered(load(job.in + i) ^ chain, job.key->encrypt);
      store(job.out + i, chain);
    }
  }
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    const std::size_t done = decrypt_blocks(job, 0, chain, std::make_index_sequence<2>());
    decrypt_blocks(job, done, chain, std::make_index_sequence<1>());
  }
}

}  // namespace des3_cbc
