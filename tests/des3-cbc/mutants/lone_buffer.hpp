// Encrypts a batch of one buffer with a wrong cipher, and all others rightly.
#pragma once

#include "blocks.hpp"

namespace des3_cbc {

template <class Ciphered>
void encrypt_lone_buffer(std::span<const Job> jobs, Ciphered ciphered_wrongly) {
  if (jobs.size() != 1) return encrypt_each(jobs);
  const Job& job = jobs.front();
  Block chain = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    chain = ciphered_wrongly(load(job.in + i) ^ chain, job.key->encrypt);
    store(job.out + i, chain);
  }
}

}  // namespace des3_cbc
