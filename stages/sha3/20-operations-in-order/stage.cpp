// Optimisation barriers: the operations of a round stay as they are, and in the order of the source.
// requires: x86-64-v4
#include "sha3/20-operations-in-order/rounds.hpp"  // before the kernels, which take its `permute`

#include "sha3/19-lanes-across-blocks/kernels.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) { hash_all<rate256>(messages); }

void hash512(std::span<const Message> messages) { hash_all<rate512>(messages); }

}  // namespace sha3
