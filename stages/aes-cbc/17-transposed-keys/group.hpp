// Encrypts a group of sixteen jobs. Their round keys are loaded four at a time, and transposed.
#pragma once

#include "aes-cbc/15-sixteen-lanes/group.hpp"
#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/17-transposed-keys/transpose.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct TransposedKeys : BlockByBlock {
  template <unsigned vectors>
  [[gnu::always_inline]] static void lay_out(RoundKeys<vectors>& round_keys, Job* const* jobs) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) {
#pragma GCC unroll 3
      for (const unsigned round : {0, 4, 7}) {  // 7 twice: 11 are no multiple of 4
        FourBlocks x[4];
#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; ++i) x[i] = load_once(&jobs[4 * v + i]->key->encrypting[round]);
        transpose(x);
#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; ++i) round_keys[round + i][v] = x[i];
      }
    }
  }
};

}  // namespace aes_cbc
