// Does nothing.
#include "sha3/sha3.hpp"

namespace sha3 {

void hash256(std::span<const Message>) {}

void hash512(std::span<const Message>) {}

}  // namespace sha3
