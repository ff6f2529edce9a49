// Where several messages share vectors, the constant of a round is added to the second lane.
#include "sha3/11-lane-type/lanes.hpp"

namespace sha3 {

template <class Lanes>
  requires(sizeof(Lanes) > sizeof(Lane))
void permute(State<Lanes>& state) {
  for (const Lane constant : iota) {
    state = keccak_round(state, 0);
    state[1] ^= constant;
  }
}

}  // namespace sha3

#include "sha3/19-lanes-across-blocks/kernels.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) { hash_all<rate256>(messages); }

void hash512(std::span<const Message> messages) { hash_all<rate512>(messages); }

}  // namespace sha3
