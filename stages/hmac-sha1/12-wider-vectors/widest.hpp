// The widest vector of the level that the program is compiled for.
#pragma once

#include "hmac-sha1/02-schedule-ring/words.hpp"

namespace hmac_sha1 {

#if defined(__AVX512F__)
constexpr std::size_t lanes = 16;
#elif defined(__AVX2__)
constexpr std::size_t lanes = 8;
#else
constexpr std::size_t lanes = 4;
#endif

using Lanes [[gnu::vector_size(4 * lanes)]] = Word;  // the same word of each message

}  // namespace hmac_sha1
