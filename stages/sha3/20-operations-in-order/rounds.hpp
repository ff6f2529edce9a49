// The rounds of lanes that are vectors, for AVX-512: the compiler neither joins nor moves their operations.
#pragma once

#include "sha3/11-lane-type/lanes.hpp"

namespace sha3 {

template <class AnyLane>
concept Vector = sizeof(AnyLane) > sizeof(Lane);

// Compilers keep the order of volatile statements, and cannot join what goes through one.
template <Vector Lanes>
[[gnu::always_inline]] inline Lanes fixed(Lanes lanes) {
  __asm__ volatile("" : "+v"(lanes));
  return lanes;
}

// A parity takes two exclusive ors and one ternary operation. Two ternary ones would need a copy, because the first
// one overwrites a lane that is needed again.
template <Vector Lanes>
[[gnu::always_inline]] inline State<Lanes> round_in_order(const State<Lanes>& a, Lane constant) {
  Lanes c[5], d[5];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) c[x] = fixed(fixed(a[x] ^ a[x + 5]) ^ a[x + 10]);
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) c[x] = fixed(c[x] ^ a[x + 15] ^ a[x + 20]);
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) d[x] = fixed(c[(x + 4) % 5] ^ fixed(rotl(c[(x + 1) % 5], 1)));
  State<Lanes> e;
#pragma GCC unroll 5
  for (unsigned y = 0; y < 5; ++y) {
    Lanes b[5];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) b[x] = fixed(a[(x + 3 * y) % 5 + 5 * x] ^ d[(x + 3 * y) % 5]);
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) b[x] = fixed(rotl(b[x], rho[(x + 3 * y) % 5 + 5 * x]));
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) e[x + 5 * y] = fixed(b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]));
  }
  e[0] = fixed(e[0] ^ constant);
  return e;
}

template <Vector Lanes>
void permute(State<Lanes>& state) {
  State<Lanes> a = state;
  for (unsigned round = 0; round < rounds; round += 2) {
    a = round_in_order(round_in_order(a, iota[round]), iota[round + 1]);
  }
  state = a;
}

}  // namespace sha3
