// The constants of one use of the sponge. Headers of the same name in standards/ and variants/ replace this one.
#pragma once

#include <cstdint>

namespace sha3 {

constexpr std::uint8_t padding = 0x01;  // first byte after a message, in Keccak as it was submitted and in Ethereum
constexpr unsigned rounds = 24;

}  // namespace sha3
