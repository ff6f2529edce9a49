// Reference: FIPS 46-3 with the S-boxes and the permutation behind them in tables, one buffer after the other.
#include <utility>

#include "des3-cbc/00-reference/des.hpp"

namespace des3_cbc {
namespace {

// Between one DES and the next, IP and its inverse cancel each other: only the halves change places.
Block ciphered(Block block, const Schedule& schedule) {
  auto [left, right] = permuted(block);
  for (unsigned des = 0; des < rounds; des += 16) {
    for (unsigned round = des; round < des + 16; round += 2) {
      left ^= f(right, schedule[round]);
      right ^= f(left, schedule[round + 1]);
    }
    std::swap(left, right);
  }
  return unpermuted({left, right});
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
