// CPU dispatch: theta by ternary logic or by exclusive ors, whichever takes less time on the core at hand.
// requires: x86-64-v4
// variants: other-core
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

#include "sha3/19-lanes-across-blocks/kernels.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) { hash_all<rate256>(messages); }

void hash512(std::span<const Message> messages) { hash_all<rate512>(messages); }

}  // namespace sha3
