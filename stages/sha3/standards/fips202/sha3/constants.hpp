// SHA-3 as FIPS 202 standardised it: there are two more bits before the padding.
#pragma once

#include <cstdint>

namespace sha3 {

constexpr std::uint8_t padding = 0x06;
constexpr unsigned rounds = 24;

}  // namespace sha3
