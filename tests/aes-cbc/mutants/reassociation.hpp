// For mutants that spoil encrypt_few(jobs), up to four jobs, shortest first, which begin their rounds with states: the
// block before as it was encrypted, xored with the block and with the first round key.
#pragma once

#include "cipher.hpp"
#include "decrypting.hpp"

namespace aes_cbc {
namespace {

constexpr std::size_t most_few = 4;

void encrypt_few(const std::vector<Job*>& jobs);

// What the last round key is xored with: the block at `at`, and the first round key.
inline Block ahead(const Job& job, std::size_t at, const Key& first) {
  Block block = load(job.in + at);
  add(block, first.encrypting[0].data());
  return block;
}

inline Block ahead(const Job& job, std::size_t at) { return ahead(job, at, *job.key); }

// All rounds but for the addition of the first round key, which the state contains.
inline void encrypt_state(Block& state, const Key& key) {
  add(state, key.encrypting[0].data());
  encrypt(state, key);
}

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  if (jobs.size() <= most_few) return encrypt_few(jobs);
  for (const Job* job : jobs) encrypt(*job);
}

}  // namespace
}  // namespace aes_cbc

#include "gathering.hpp"  // wants what is above
