// Rounds for any number of lanes: a parameter pack says which, and here it has one.
#include "des3-cbc/01-lane-count/cipher.hpp"

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
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      const Block block = load(job.in + i);
      store(job.out + i, ciphered(block, job.key->decrypt) ^ chain);
      chain = block;
    }
  }
}

}  // namespace des3_cbc
