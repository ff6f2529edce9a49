// Ternary logic in theta: one operation xors both parities into a lane, so their xor is not computed first.
// requires: x86-64-v4
#include "sha3/21-ternary-theta/permute.hpp"  // before the kernels, which take it

#include "sha3/19-lanes-across-blocks/kernels.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) { hash_all<rate256>(messages); }

void hash512(std::span<const Message> messages) { hash_all<rate512>(messages); }

}  // namespace sha3
