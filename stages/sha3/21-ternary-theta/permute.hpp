// The permutation of lanes that are vectors.
#pragma once

#include "sha3/21-ternary-theta/round.hpp"

namespace sha3 {

template <AnyVector Lanes>
void permute(State<Lanes>& state) {
  permute_with_ternary_theta(state);
}

}  // namespace sha3
