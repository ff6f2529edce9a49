// The halves of a block after the expansion E of FIPS 46-3, and S-boxes that give their results in this form.
#pragma once

#include "des3-cbc/00-reference/des.hpp"

namespace des3_cbc {

// Six bits for each S-box, in the lower bits of a byte. The bytes, from the lowest on, are for S7, S5, S3, S1, S8, S6,
// S4 and S2.
using Expanded = std::uint64_t;

constexpr Expanded joined(std::uint32_t odd, std::uint32_t even) { return Expanded{even} << 32 | odd; }
constexpr Expanded joined(RoundKey key) { return joined(key.odd, key.even); }

constexpr Expanded expanded(std::uint32_t half) { return joined(std::rotr(half, 4), half) & 0x3F3F3F3F3F3F3F3F; }

// Each bit of a half is in one or in two bytes.
constexpr std::uint32_t contracted(Expanded half) {
  return static_cast<std::uint32_t>(half >> 32) | std::rotl(static_cast<std::uint32_t>(half), 4);
}

// In the order of the bytes. The expansion of an xor is the xor of the expansions, so a result can be expanded here.
constexpr std::array<std::array<Expanded, 64>, 8> expanded_boxes = [] {
  constexpr unsigned box_of_byte[8] = {6, 4, 2, 0, 7, 5, 3, 1};
  std::array<std::array<Expanded, 64>, 8> tables{};
  for (unsigned byte = 0; byte < 8; ++byte) {
    for (unsigned six = 0; six < 64; ++six) tables[byte][six] = expanded(boxes[box_of_byte[byte]][six]);
  }
  return tables;
}();

// One buffer, each block by `ciphered`.
template <class Ciphered>
void encrypt_alone(const Job& job, Ciphered ciphered) {
  Block chain = load(job.iv);
  for (std::size_t at = 0; at < job.size; at += block_bytes) {
    chain = ciphered(load(job.in + at) ^ chain, job.key->encrypt);
    store(job.out + at, chain);
  }
}

}  // namespace des3_cbc
