// Textbook AES-CBC: one buffer after another, and each block byte by byte.
#include <algorithm>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/field.hpp"
#include "common/multibuffer/manager.hpp"

namespace aes_cbc {

namespace {

void add(Block& block, const std::uint8_t* other) {
  for (unsigned i = 0; i < block_bytes; ++i) block[i] ^= other[i];
}

void substitute(Block& block, const std::array<std::uint8_t, 256>& box) {
  for (std::uint8_t& byte : block) byte = box[byte];
}

// Row r of the state (every fourth byte) rotates by r columns.
void shift_rows(Block& block) {
  const Block from = block;
  for (unsigned i = 0; i < block_bytes; ++i) block[i] = from[(5 * i) % block_bytes];
}

void unshift_rows(Block& block) {
  const Block from = block;
  for (unsigned i = 0; i < block_bytes; ++i) block[(5 * i) % block_bytes] = from[i];
}

void encrypt(Block& block, const Key& key) {
  add(block, key.encrypting[0].data());
  for (unsigned round = 1; round <= rounds; ++round) {
    substitute(block, s_box);
    shift_rows(block);
    if (round != rounds) mix_columns(block);
    add(block, key.encrypting[round].data());
  }
}

void decrypt(Block& block, const Key& key) {
  add(block, key.decrypting[0].data());
  for (unsigned round = 1; round <= rounds; ++round) {
    substitute(block, inverse_s_box);
    unshift_rows(block);
    if (round != rounds) unmix_columns(block);
    add(block, key.decrypting[round].data());
  }
}

Block load(const std::uint8_t* bytes) {
  Block block;
  std::copy_n(bytes, block_bytes, block.begin());
  return block;
}

void encrypt(const Job& job) {
  Block chained = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    add(chained, job.in + i);
    encrypt(chained, *job.key);
    std::copy(chained.begin(), chained.end(), job.out + i);
  }
}

void decrypt(const Job& job) {
  Block before = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    const Block ciphered = load(job.in + i);
    Block block = ciphered;
    decrypt(block, *job.key);
    add(block, before.data());
    std::copy(block.begin(), block.end(), job.out + i);
    before = ciphered;
  }
}

struct Processor {
  void operator()(const Job& job) const { encrypt(job); }
};

}  // namespace

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
