// Barriers for sixteen lanes: early operands are summed first, and transposition and byte swap stay separate.
#pragma once

#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/21-ternary-logic/ternary_logic.hpp"

namespace hmac_sha1 {

// The compiler cannot see how x was computed, so it cannot merge that with what follows.
[[gnu::always_inline]] inline void barrier(Lanes& x) { asm("" : "+v"(x)); }

struct Barriers : TernaryLogic {
  [[gnu::always_inline]] static Lanes early_sum(Lanes sum) {
    barrier(sum);
    return sum;
  }
  [[gnu::always_inline]] static void transposed(Lanes& row) { barrier(row); }
};

}  // namespace hmac_sha1
