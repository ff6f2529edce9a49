// The words of a block.
#pragma once

#include <array>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

using Word = std::uint32_t;

constexpr std::size_t words = 16;  // of a block

using Block = std::array<Word, words>;  // words t - 16 to t - 1 of the message schedule, each in place t % 16

static inline Block load(const std::uint8_t* bytes) {
  Block w;
  for (std::size_t t = 0; t < words; ++t, bytes += 4) {
    w[t] = Word{bytes[0]} << 24 | Word{bytes[1]} << 16 | Word{bytes[2]} << 8 | bytes[3];
  }
  return w;
}

}  // namespace hmac_sha1
