// Sixteen lanes that read from a buffer, where their jobs lie at a distance at which they evict one another.
#pragma once

#include <immintrin.h>

#include <algorithm>

#include "aes-cbc/34-vaes-256/decrypt.hpp"
#include "aes-cbc/35-vaes-256-lanes/sixteen_lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned packed_blocks = 16;  // of each lane at a time
constexpr std::size_t packed_bytes = packed_blocks * block_bytes;

// Whether half of the lanes or more read from the same line, modulo 2,048 bytes. A first-level cache mostly has 64
// sets, with lines of 64 bytes, so these lines fall into two of the sets. The last job is the longest, and no padding.
static inline bool share_sets(Job* const* jobs) {
  const auto place = [](const Job* job) { return reinterpret_cast<std::uintptr_t>(job->in) % 2'048 / 64; };
  const auto shares = [&](const Job* job) { return place(job) == place(jobs[lanes - 1]); };
  return std::count_if(jobs, jobs + lanes, shares) >= lanes / 2;
}

template <class RoundKeys>
class PackedGroup : public PairedGroup<RoundKeys> {
 public:
  using PairedGroup<RoundKeys>::PairedGroup;

  // From `done` to `end`.
  void encrypt(std::size_t done, std::size_t end) {
    for (; end - done >= packed_bytes; done += packed_bytes) encrypt_packed(done);
    PairedGroup<RoundKeys>::encrypt(done, end);
  }

 private:
  void encrypt_packed(std::size_t done) {
    TwoBlocks packed[packed_blocks][vectors];
    for (unsigned v = 0; v < vectors; ++v) {
      const std::uint8_t *const lower = this->job(2 * v).in + done, *const upper = this->job(2 * v + 1).in + done;
#pragma GCC unroll 8
      for (unsigned i = 0; i < packed_blocks; i += 2) {
        const TwoBlocks a = load_two(lower + i * block_bytes), b = load_two(upper + i * block_bytes);
        packed[i][v] = _mm256_permute2x128_si256(a, b, 0x20);      // the first block of each
        packed[i + 1][v] = _mm256_permute2x128_si256(a, b, 0x31);  // the second
      }
    }
    const auto input = [&](unsigned v, std::size_t at) { return packed[(at - done) / block_bytes][v]; };
    this->encrypt_blocks(done, done + packed_bytes, input);
  }
};

struct PackedOrPaired {
  template <class RoundKeys>
  static void encrypt(Job* const* jobs) {
    if (share_sets(jobs)) return encrypt_group<PackedGroup<RoundKeys>>(jobs);
    encrypt_group<PairedGroup<RoundKeys>>(jobs);
  }
};

}  // namespace aes_cbc
