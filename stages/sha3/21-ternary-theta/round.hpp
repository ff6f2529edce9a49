// Rounds in which theta xors both parities into a lane by one ternary operation.
#pragma once

#include "sha3/20-operations-in-order/rounds.hpp"

namespace sha3 {

template <Vector Lanes>
[[gnu::always_inline]] inline State<Lanes> round_with_ternary_theta(const State<Lanes>& a, Lane constant) {
  Lanes c[5], rotated[5];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) c[x] = fixed(a[x] ^ a[x + 5] ^ a[x + 10]);
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) c[x] = fixed(c[x] ^ a[x + 15] ^ a[x + 20]);
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) rotated[x] = fixed(rotl(c[x], 1));
  State<Lanes> e;
#pragma GCC unroll 5
  for (unsigned y = 0; y < 5; ++y) {
    Lanes b[5];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) {
      const unsigned column = (x + 3 * y) % 5;
      b[x] = fixed(a[column + 5 * x] ^ c[(column + 4) % 5] ^ rotated[(column + 1) % 5]);
    }
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) b[x] = fixed(rotl(b[x], rho[(x + 3 * y) % 5 + 5 * x]));
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) e[x + 5 * y] = fixed(b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]));
  }
  e[0] = fixed(e[0] ^ constant);
  return e;
}

// The same types as `Vector`. `&& true` makes a template more constrained than the `permute` of stage
// operations-in-order, so the compiler takes it.
template <class AnyLane>
concept AnyVector = Vector<AnyLane> && true;

template <AnyVector Lanes>
void permute_with_ternary_theta(State<Lanes>& state) {
  State<Lanes> a = state;
  for (unsigned round = 0; round < rounds; round += 2) {
    a = round_with_ternary_theta(round_with_ternary_theta(a, iota[round]), iota[round + 1]);
  }
  state = a;
}

}  // namespace sha3
