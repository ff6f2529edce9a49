// Correct ciphers of blocks and of buffers, for mutants that use them wrongly.
#pragma once

#include <bit>
#include <utility>

#include "des3-cbc/00-reference/boxes.hpp"
#include "des3-cbc/des3_cbc.hpp"

namespace des3_cbc {

using Block = std::uint64_t;

inline Block load(const std::uint8_t* bytes) {
  Block block = 0;
  for (unsigned i = 0; i < 8; ++i) block = block << 8 | bytes[i];
  return block;
}

inline void store(std::uint8_t* bytes, Block block) {
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(block >> (56 - 8 * i));
}

// The bit of the block that becomes bit i of IP's result, counted from the highest.
inline unsigned permuted_place(unsigned i) {
  return i < 32 ? 57 - 8 * (i % 8) + i / 8 * 2 : 56 - 8 * (i % 8) + i / 8 % 4 * 2;
}

inline Block permuted(Block block) {
  Block result = 0;
  for (unsigned i = 0; i < 64; ++i) result = result << 1 | (block >> (63 - permuted_place(i)) & 1);
  return result;
}

inline Block unpermuted(Block block) {
  Block result = 0;
  for (unsigned i = 0; i < 64; ++i) result |= (block >> (63 - i) & 1) << (63 - permuted_place(i));
  return result;
}

inline std::uint32_t f(std::uint32_t half, RoundKey key) {
  const std::uint32_t odd = std::rotr(half, 4) ^ key.odd, even = half ^ key.even;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result ^= boxes[2 * i][odd >> (24 - 8 * i) & 63] ^ boxes[2 * i + 1][even >> (24 - 8 * i) & 63];
  }
  return result;
}

inline Block ciphered(Block block, const Schedule& schedule, unsigned count = rounds) {
  block = permuted(block);
  auto left = std::rotl(static_cast<std::uint32_t>(block >> 32), 1);
  auto right = std::rotl(static_cast<std::uint32_t>(block), 1);
  for (unsigned round = 0; round < count; ++round) {
    left ^= f(right, schedule[round]);
    std::swap(left, right);
    if (round % 16 == 15) std::swap(left, right);
  }
  return unpermuted(Block{std::rotr(left, 1)} << 32 | std::rotr(right, 1));
}

// From byte `from` to byte `to` of a job; returns the block to which the next one is chained.
inline Block encrypt_part(const Job& job, std::size_t from, std::size_t to, Block chain) {
  for (std::size_t i = from; i < to; i += block_bytes) {
    chain = ciphered(load(job.in + i) ^ chain, job.key->encrypt);
    store(job.out + i, chain);
  }
  return chain;
}

inline Block decrypt_part(const Job& job, std::size_t from, std::size_t to, Block chain) {
  for (std::size_t i = from; i < to; i += block_bytes) {
    const Block block = load(job.in + i);
    store(job.out + i, ciphered(block, job.key->decrypt) ^ chain);
    chain = block;
  }
  return chain;
}

inline void encrypt_each(std::span<const Job> jobs) {
  for (const Job& job : jobs) encrypt_part(job, 0, job.size, load(job.iv));
}

inline void decrypt_each(std::span<const Job> jobs) {
  for (const Job& job : jobs) decrypt_part(job, 0, job.size, load(job.iv));
}

}  // namespace des3_cbc
