// Encrypts a group of sixteen jobs, a line of each at a time.
#pragma once

#include "aes-cbc/17-transposed-keys/group.hpp"
#include "aes-cbc/19-transposed-loads/line_blocks.hpp"

namespace aes_cbc {

struct LineByLine : TransposedKeys {
  // As many jobs as there are lanes, shortest first.
  static void encrypt_group(Job* const* jobs, auto round_key) {
    FourBlocks chained[vectors];
    load_ivs(chained, jobs);
    const std::size_t shortest = jobs[0]->size, longest = jobs[width - 1]->size;
    std::size_t offset = 0;
    for (; offset + line_bytes <= shortest; offset += line_bytes) {
      encrypt<4, Ends::together>(jobs, offset, round_key, chained);
    }
    if (shortest == longest) return encrypt_few(jobs, offset, longest - offset, round_key, chained);
    for (; offset < longest; offset += line_bytes) encrypt<4, Ends::apart>(jobs, offset, round_key, chained);
  }
};

}  // namespace aes_cbc
