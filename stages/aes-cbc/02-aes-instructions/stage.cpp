// 02 The AES instructions: one for a round. Each block waits for the one before, each round for the round before.
// requires: aes
// variants: no-kernel
#include <immintrin.h>

#include <aes-cbc/constants.hpp>

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager {
  Problem problem = Problem::none;
};

namespace {

using Vector = __m128i;  // a block

Vector load(const void* block) { return _mm_loadu_si128(static_cast<const Vector*>(block)); }
void store(void* block, Vector vector) { _mm_storeu_si128(static_cast<Vector*>(block), vector); }

Vector encrypt(Vector block, const Key& key) {
  if (!with_kernel) return block;
  block ^= load(&key.encrypting[0]);
  for (unsigned round = 1; round < rounds; ++round) block = _mm_aesenc_si128(block, load(&key.encrypting[round]));
  return _mm_aesenclast_si128(block, load(&key.encrypting[rounds]));
}

Vector decrypt(Vector block, const Key& key) {
  if (!with_kernel) return block;
  block ^= load(&key.decrypting[0]);
  for (unsigned round = 1; round < rounds; ++round) block = _mm_aesdec_si128(block, load(&key.decrypting[round]));
  return _mm_aesdeclast_si128(block, load(&key.decrypting[rounds]));
}

void encrypt(const Job& job) {
  Vector chained = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    chained = encrypt(chained ^ load(job.in + i), *job.key);
    store(job.out + i, chained);
  }
}

// No block waits for another one: the core begins the next while this one is under way, and needs no help.
void decrypt(const Job& job) {
  Vector before = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    const Vector ciphered = load(job.in + i);
    store(job.out + i, decrypt(ciphered, *job.key) ^ before);
    before = ciphered;
  }
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (const Problem problem = problem_of(job); problem != Problem::none) {
    manager.problem = problem;
    job.status = Status::invalid;
  } else {
    encrypt(job);
    job.status = Status::done;
  }
  return &job;
}

Job* flush(Manager&) { return nullptr; }

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
}

void decrypt(std::span<Job> jobs) {
  for (Job& job : jobs) {
    const bool valid = problem_of(job) == Problem::none;
    if (valid) decrypt(job);
    job.status = valid ? Status::done : Status::invalid;
  }
}

}  // namespace aes_cbc
