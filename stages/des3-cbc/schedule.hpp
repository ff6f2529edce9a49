// The key schedule of FIPS 46-3, three times. It is not measured, because the document's keys are expanded before.
#pragma once

#include <algorithm>
#include <bit>

#include "des3-cbc/des3_cbc.hpp"

namespace des3_cbc {

// Of the 64 bits of a key, counted from 1 at the highest, those that fill the two registers of 28 bits.
constexpr std::uint8_t permuted_choice_1[2][28] = {
    {57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36},
    {63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4}};

// Of the 56 bits of both registers, those that each S-box gets.
constexpr std::uint8_t permuted_choice_2[8][6] = {
    {14, 17, 11, 24, 1, 5},   {3, 28, 15, 6, 21, 10},   {23, 19, 12, 4, 26, 8},   {16, 7, 27, 20, 13, 2},
    {41, 52, 31, 37, 47, 55}, {30, 40, 51, 45, 33, 48}, {44, 49, 39, 56, 34, 53}, {46, 42, 50, 36, 29, 32}};

constexpr std::uint8_t key_shifts[16] = {1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1};

static inline std::array<RoundKey, 16> expand_one(std::span<const std::uint8_t, 8> key) {
  std::array<bool, 28> registers[2];
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned i = 0; i < 28; ++i) {
      const unsigned bit = permuted_choice_1[half][i] - 1u;
      registers[half][i] = key[bit / 8] >> (7 - bit % 8) & 1;
    }
  }
  std::array<RoundKey, 16> keys{};
  for (unsigned round = 0; round < 16; ++round) {
    for (auto& bits : registers) std::rotate(bits.begin(), bits.begin() + key_shifts[round], bits.end());
    for (unsigned box = 0; box < 8; ++box) {
      std::uint32_t six = 0;
      for (const unsigned place : permuted_choice_2[box])
        six = six << 1 | registers[(place - 1) / 28][(place - 1) % 28];
      (box % 2 == 0 ? keys[round].odd : keys[round].even) |= six << (24 - box / 2 * 8);
    }
  }
  return keys;
}

static inline Key expand(std::span<const std::uint8_t, key_bytes> bytes) {
  Key key;
  std::copy(bytes.begin(), bytes.end(), key.bytes.begin());
  const auto first = expand_one(bytes.subspan<0, 8>()), third = expand_one(bytes.subspan<16, 8>());
  const auto second = expand_one(bytes.subspan<8, 8>());
  auto end = std::copy(first.begin(), first.end(), key.encrypt.begin());
  end = std::reverse_copy(second.begin(), second.end(), end);  // the second DES decrypts: the keys in reverse order
  std::copy(third.begin(), third.end(), end);
  std::reverse_copy(key.encrypt.begin(), key.encrypt.end(), key.decrypt.begin());
  return key;
}

}  // namespace des3_cbc
