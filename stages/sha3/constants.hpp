// What tells one use of the sponge from another. The headers of the same name in standards/ and variants/ take its
// place.
#pragma once

#include <cstdint>

namespace sha3 {

constexpr std::uint8_t padding = 0x01;  // first byte after a message: Keccak as submitted, and as Ethereum has it
constexpr unsigned rounds = 24;

}  // namespace sha3
