// SHA-3 as FIPS 202 standardised it: two bits more stand before the padding.
#pragma once

#include <cstdint>

namespace sha3 {

constexpr std::uint8_t padding = 0x06;
constexpr unsigned rounds = 24;

}  // namespace sha3
