// Triple DES with three keys (FIPS 46-3: encrypt, decrypt, encrypt) in cipher-block chaining, over batches of buffers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace des3_cbc {

constexpr std::size_t block_bytes = 8, key_bytes = 24;
constexpr unsigned rounds = 48;  // three times sixteen

// The 48 bits of a round's key, in the lower six bits of each byte: those for S1, S3, S5 and S7, highest byte first,
// and those for S2, S4, S6 and S8.
struct RoundKey {
  std::uint32_t odd, even;

  bool operator==(const RoundKey&) const = default;
};
using Schedule = std::array<RoundKey, rounds>;

// Made by expand (schedule.hpp), before anything is ciphered.
struct Key {
  std::array<std::uint8_t, key_bytes> bytes;  // each with a bit of parity, its lowest, which nobody reads
  Schedule encrypt, decrypt;                  // in the order in which they are used

  bool operator==(const Key&) const = default;
};

struct Job {
  const std::uint8_t* in;
  std::uint8_t* out;
  std::size_t size;  // bytes, a multiple of 8; with 0, `in` and `out` may be null
  const Key* key;
  const std::uint8_t* iv;  // 8 bytes, with which the first block is chained; not changed
};

// Contract: ciphers every job from `in` to `out`, as if one after the other; any number of jobs, none included, of any
// sizes. `out` is the job's own `in` or lies apart from it, and apart from all that belongs to other jobs; jobs may
// share keys, ivs and, where they do not write, input. Bytes may stand at any address, none outside `out` is written.
// Keeps no state between calls, so threads may call at once. Cannot fail.
void encrypt(std::span<const Job> jobs);
void decrypt(std::span<const Job> jobs);  // undoes encrypt

}  // namespace des3_cbc
