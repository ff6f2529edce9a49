// For mutants that spoil before(job, text, i): what the block at `i` is xored with when `text` is decrypted.
// Null leaves the block out. They encrypt as they should.
#pragma once

#include "cipher.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) { encrypt(job); }

}  // namespace

void decrypt(std::span<Job> jobs) {
  for (Job& job : jobs) {
    const bool valid = problem_of(job) == Problem::none;
    job.status = valid ? Status::done : Status::invalid;
    if (!valid) continue;
    const std::vector<std::uint8_t> text(job.in, job.in + job.size);
    for (std::size_t i = 0; i < job.size; i += block_bytes) {
      const std::uint8_t* const other = before(job, text.data(), i);
      if (other == nullptr) continue;
      Block block = load(text.data() + i);
      decrypt(block, *job.key);
      add(block, other);
      store(job.out + i, block);
    }
  }
}

}  // namespace aes_cbc

#include "alone.hpp"  // wants what is above
