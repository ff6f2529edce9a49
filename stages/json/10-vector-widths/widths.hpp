// Vectors of bytes: the widest that the level has, and narrower ones for what is left.
#pragma once

#include "json/09-vectors/first_escape.hpp"

namespace json {

using Eight [[gnu::vector_size(8)]] = std::uint8_t;
using ThirtyTwo [[gnu::vector_size(32)]] = std::uint8_t;
using SixtyFour [[gnu::vector_size(64)]] = std::uint8_t;
#if defined(__AVX512BW__)
using Widest = SixtyFour;
#elif defined(__AVX2__)
using Widest = ThirtyTwo;
#else
using Widest = Sixteen;
#endif

}  // namespace json
