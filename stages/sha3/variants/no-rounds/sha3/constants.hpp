// A permutation without rounds: only the sponge around it is measured.
#pragma once

#include <cstdint>

namespace sha3 {

constexpr std::uint8_t padding = 0x01;
constexpr unsigned rounds = 0;

}  // namespace sha3
