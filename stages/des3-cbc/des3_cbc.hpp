// Triple DES with three keys (FIPS 46-3: encrypt, decrypt, encrypt) in cipher-block chaining, over batches of buffers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace des3_cbc {

constexpr std::size_t block_bytes = 8, key_bytes = 24;
constexpr unsigned rounds = 48;  // three times sixteen

// The 48 bits of a round's key, in the lower six bits of each byte, highest byte first. `odd` has those for S1, S3, S5
// and S7, `even` those for S2, S4, S6 and S8.
struct RoundKey {
  std::uint32_t odd, even;

  bool operator==(const RoundKey&) const = default;
};
using Schedule = std::array<RoundKey, rounds>;

// Made by expand (schedule.hpp), before any job.
struct Key {
  std::array<std::uint8_t, key_bytes> bytes;  // the lowest bit of each is parity, and is not used
  Schedule encrypt, decrypt;                  // in the order in which they are used

  bool operator==(const Key&) const = default;
};

struct Job {
  const std::uint8_t* in;
  std::uint8_t* out;
  std::size_t size;  // bytes, a multiple of 8; with 0, `in` and `out` may be null
  const Key* key;
  const std::uint8_t* iv;  // 8 bytes, to which the first block is chained; not changed
};

// Contract: ciphers every job from `in` to `out`, as if one after the other: any number of jobs, also none, of any
// sizes. `out` is the job's own `in` or does not overlap it, and it overlaps no memory of other jobs. Jobs may share
// keys, ivs and input that is not written. Buffers may have any address, and no byte outside `out` is written. There
// is no state between calls, so threads may call at the same time. Cannot fail.
void encrypt(std::span<const Job> jobs);
void decrypt(std::span<const Job> jobs);  // undoes encrypt

}  // namespace des3_cbc
