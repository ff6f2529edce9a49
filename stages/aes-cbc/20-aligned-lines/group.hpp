// Encrypts a group of sixteen jobs, a line of each at a time, from one cache line to the next.
#pragma once

#include "aes-cbc/17-transposed-keys/group.hpp"
#include "aes-cbc/19-transposed-loads/line_blocks.hpp"

namespace aes_cbc {

constexpr std::size_t worth_aligning = 4 * line_bytes;  // shorter groups are not aligned

struct NoPrefetch {
  [[gnu::always_inline]] static void line(Job* const*, std::size_t) {}  // a line of every lane is encrypted next
};

// A later stage prefetches.
template <class Prefetch>
struct AlignedLinesWith : TransposedKeys {
  // As many jobs as there are lanes, shortest first. The first lane decides about alignment. The others have the same
  // where buffers lie a multiple of 64 bytes apart.
  static void encrypt_group(Job* const* jobs, auto round_key) {
    FourBlocks chained[vectors];
    load_ivs(chained, jobs);
    const std::size_t shortest = jobs[0]->size, longest = jobs[width - 1]->size;
    std::size_t offset = 0;
    if (shortest >= worth_aligning) {
      offset = -reinterpret_cast<std::uintptr_t>(jobs[0]->out) % line_bytes / block_bytes * block_bytes;
      encrypt_few(jobs, 0, offset, round_key, chained);
    }
    for (; offset + line_bytes <= shortest; offset += line_bytes) {
      Prefetch::line(jobs, offset);
      encrypt<4, Ends::together>(jobs, offset, round_key, chained);
    }
    if (shortest == longest) return encrypt_few(jobs, offset, longest - offset, round_key, chained);
    for (; offset < longest; offset += line_bytes) encrypt<4, Ends::apart>(jobs, offset, round_key, chained);
  }
};

using AlignedLines = AlignedLinesWith<NoPrefetch>;

}  // namespace aes_cbc
