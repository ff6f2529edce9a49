// The halves do not change places between one DES and the next.
#include "../blocks.hpp"

namespace des3_cbc {
namespace {

Block ciphered_wrongly(Block block, const Schedule& schedule) {
  block = permuted(block);
  auto left = std::rotl(static_cast<std::uint32_t>(block >> 32), 1);
  auto right = std::rotl(static_cast<std::uint32_t>(block), 1);
  for (unsigned round = 0; round < rounds; round += 2) {
    left ^= f(right, schedule[round]);
    right ^= f(left, schedule[round + 1]);
  }
  return unpermuted(Block{std::rotr(right, 1)} << 32 | std::rotr(left, 1));
}

}  // namespace

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      chain = ciphered_wrongly(load(job.in + i) ^ chain, job.key->encrypt);
      store(job.out + i, chain);
    }
  }
}

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
