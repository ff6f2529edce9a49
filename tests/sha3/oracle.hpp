// Keccak from its specification, bit by bit; shares no code with any stage.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sha3::oracle {

// The digest of `message`, of `bits` 256 or 512, with the padding and the rounds of constants.hpp.
std::vector<std::uint8_t> digest(std::span<const std::uint8_t> message, unsigned bits);

}  // namespace sha3::oracle
