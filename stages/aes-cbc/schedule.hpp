// The key schedule of FIPS 197, the same for all stages: it is not what is timed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/field.hpp"

namespace aes_cbc {

// Static: each source that includes it has its own copy, compiled with its own flags.
static inline void expand(Key& key, std::span<const std::uint8_t, block_bytes> bytes) {
  auto& words = key.encrypting;
  std::copy(bytes.begin(), bytes.end(), words[0].begin());
  std::uint8_t constant = 1;
  for (unsigned round = 1; round <= rounds; ++round) {
    const Block& before = words[round - 1];
    Block& now = words[round];
    for (unsigned i = 0; i < 4; ++i) now[i] = before[i] ^ s_box[before[12 + (i + 1) % 4]];
    now[0] ^= constant;
    for (unsigned i = 4; i < block_bytes; ++i) now[i] = before[i] ^ now[i - 4];
    constant = times_2(constant);
  }
  for (unsigned round = 0; round <= rounds; ++round) {
    Block& now = key.decrypting[round] = words[rounds - round];
    if (round != 0 && round != rounds) unmix_columns(now);
  }
}

}  // namespace aes_cbc
