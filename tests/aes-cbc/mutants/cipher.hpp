// What the mutants share: a right cipher, and what of the contract they do not spoil.
#pragma once

#include <algorithm>
#include <vector>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/field.hpp"

namespace aes_cbc {

constexpr std::size_t window = 128;  // jobs that are gathered

struct Manager {
  std::vector<Job*> waiting, ready;
  Problem problem = Problem::none;
};

namespace {

inline void add(Block& block, const std::uint8_t* other) {
  for (unsigned i = 0; i < block_bytes; ++i) block[i] ^= other[i];
}

inline Block load(const std::uint8_t* bytes) {
  Block block;
  std::copy_n(bytes, block_bytes, block.begin());
  return block;
}

inline void store(std::uint8_t* bytes, const Block& block) { std::copy(block.begin(), block.end(), bytes); }

inline void encrypt(Block& block, const Key& key) {
  add(block, key.encrypting[0].data());
  for (unsigned round = 1; round <= rounds; ++round) {
    const Block from = block;
    for (unsigned i = 0; i < block_bytes; ++i) block[i] = s_box[from[5 * i % block_bytes]];
    if (round != rounds) mix_columns(block);
    add(block, key.encrypting[round].data());
  }
}

inline void decrypt(Block& block, const Key& key) {
  add(block, key.decrypting[0].data());
  for (unsigned round = 1; round <= rounds; ++round) {
    const Block from = block;
    for (unsigned i = 0; i < block_bytes; ++i) block[5 * i % block_bytes] = inverse_s_box[from[i]];
    if (round != rounds) unmix_columns(block);
    add(block, key.decrypting[round].data());
  }
}

inline void encrypt(const Job& job, std::size_t size, const std::uint8_t* iv, const Key& key) {
  Block chained = load(iv);
  for (std::size_t i = 0; i < size; i += block_bytes) {
    add(chained, job.in + i);
    encrypt(chained, key);
    store(job.out + i, chained);
  }
}

inline void encrypt(const Job& job) { encrypt(job, job.size, job.iv, *job.key); }

inline void decrypt(const Job& job) {
  Block before = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    const Block ciphered = load(job.in + i);
    Block block = ciphered;
    decrypt(block, *job.key);
    add(block, before.data());
    store(job.out + i, block);
    before = ciphered;
  }
}

inline bool refused(Manager& manager, Job& job) {
  const Problem problem = problem_of(job);
  if (problem == Problem::none) return false;
  manager.problem = problem;
  job.status = Status::invalid;
  return true;
}

inline Job* hand_back(Manager& manager) {
  if (manager.ready.empty()) return nullptr;
  Job* const job = manager.ready.back();
  manager.ready.pop_back();
  job->status = Status::done;
  return job;
}

inline Job* finish_last(Manager& manager) {
  if (manager.waiting.empty()) return nullptr;
  Job* const job = manager.waiting.back();
  manager.waiting.pop_back();
  encrypt(*job);
  job->status = Status::done;
  return job;
}

}  // namespace
}  // namespace aes_cbc
