// Encrypts a group of sixteen jobs, a line of each at a time as far as the shortest has whole lines.
#pragma once

#include <immintrin.h>

#include "aes-cbc/17-transposed-keys/group.hpp"
#include "aes-cbc/18-transposed-lines/encrypt_lines.hpp"

namespace aes_cbc {

struct WholeLines : TransposedKeys {
  // As many jobs as there are lanes, shortest first.
  static void encrypt_group(Job* const* jobs, auto round_key) {
    FourBlocks chained[vectors];
    load_ivs(chained, jobs);
    std::size_t offset = 0;
    for (; offset + line_bytes <= jobs[0]->size; offset += line_bytes) {
      const auto load = [&](unsigned lane) { return load_once(jobs[lane]->in + offset); };
      const auto store = [&](unsigned lane, FourBlocks line) { _mm512_storeu_si512(jobs[lane]->out + offset, line); };
      encrypt_lines<4>(load, store, round_key, chained);
    }
    encrypt_from(jobs, offset, round_key, chained);
  }
};

}  // namespace aes_cbc
