// Two interleaved buffers: encryption takes a block of each, round by round, as far as the shorter buffer goes.
#include <algorithm>

#include "des3-cbc/02-interleaved-decryption/decrypt.hpp"

namespace des3_cbc {
namespace {

void encrypt_from(std::size_t at, const Job& job, Block chain) {
  for (; at < job.size; at += block_bytes) {
    Blocks<1> blocks{load(job.in + at) ^ chain};
    cipher(blocks, {&job.key->encrypt}, std::make_index_sequence<1>());
    store(job.out + at, chain = blocks[0]);
  }
}

// All go as far as the shortest of them; then the rest of each goes alone.
template <std::size_t... i>
void encrypt_together(std::span<const Job, sizeof...(i)> jobs, std::index_sequence<i...> lanes) {
  Blocks<sizeof...(i)> chains{load(jobs[i].iv)...};
  const Schedules<sizeof...(i)> schedules{&jobs[i].key->encrypt...};
  const std::size_t common = std::min({jobs[i].size...});
  for (std::size_t at = 0; at < common; at += block_bytes) {
    ((chains[i] ^= load(jobs[i].in + at)), ...);
    cipher(chains, schedules, lanes);
    (store(jobs[i].out + at, chains[i]), ...);
  }
  (encrypt_from(common, jobs[i], chains[i]), ...);
}

}  // namespace

void encrypt(std::span<const Job> jobs) {
  for (; jobs.size() >= 2; jobs = jobs.subspan(2)) encrypt_together(jobs.first<2>(), std::make_index_sequence<2>());
  for (const Job& job : jobs) encrypt_from(0, job, load(job.iv));
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    const std::size_t done = decrypt_blocks(job, 0, chain, std::make_index_sequence<2>());
    decrypt_blocks(job, done, chain, std::make_index_sequence<1>());
  }
}

}  // namespace des3_cbc
