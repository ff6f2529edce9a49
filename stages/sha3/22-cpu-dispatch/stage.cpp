// CPU dispatch: theta by ternary logic or by exclusive ors, whichever takes less time on the core at hand.
// requires: x86-64-v4
// variants: other-core
#include "sha3/22-cpu-dispatch/permute.hpp"  // before the kernels, which take it

#include "sha3/19-lanes-across-blocks/kernels.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) { hash_all<rate256>(messages); }

void hash512(std::span<const Message> messages) { hash_all<rate512>(messages); }

}  // namespace sha3
