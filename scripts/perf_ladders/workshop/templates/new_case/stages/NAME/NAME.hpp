// The contract: what every stage promises. Replace the function by yours.
#pragma once

#include <cstdint>
#include <span>

namespace SPACE {

// Contract: begins with 0 and computes 31 * hash + byte for each byte, modulo 2^32. Any number of bytes, also none, at
// any address. No byte outside is read. Keeps no state, so threads may call at once.
std::uint32_t hash(std::span<const std::uint8_t> bytes);

}  // namespace SPACE
