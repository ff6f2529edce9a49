// The permutation of lanes that are vectors, with the theta that takes less time on this core.
#pragma once

#include "sha3/21-ternary-theta/round.hpp"
#include "sha3/22-cpu-dispatch/core.hpp"

namespace sha3 {

template <AnyVector Lanes>
void permute(State<Lanes>& state) {
  if (has_ternary_theta) return permute_with_ternary_theta(state);
  State<Lanes> a = state;
  for (unsigned round = 0; round < rounds; round += 2) {
    a = round_in_order(round_in_order(a, iota[round]), iota[round + 1]);
  }
  state = a;
}

}  // namespace sha3
