// Does nothing.
#include "xtea/xtea.hpp"

namespace xtea {

void encrypt(std::span<std::uint64_t>, const Key&) {}

void decrypt(std::span<std::uint64_t>, const Key&) {}

}  // namespace xtea
