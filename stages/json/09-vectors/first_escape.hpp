// Vectors of bytes, and the first byte in one that needs an escape.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace json {

using Sixteen [[gnu::vector_size(16)]] = std::uint8_t;

template <class Lanes>
Lanes load(const char* text) {
  Lanes bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

// The place of the first byte that needs an escape; the number of lanes if no byte does.
template <class Lanes>
std::size_t first_escape(Lanes bytes) {
  const Lanes needed = Lanes(bytes < 0x20) | Lanes(bytes == '"') | Lanes(bytes == '\\');  // a lane is all ones or zero
  const auto words = std::bit_cast<std::array<std::uint64_t, sizeof(Lanes) / 8>>(needed);
  std::uint64_t any = 0;
  for (const std::uint64_t word : words) any |= word;
  if (any == 0) return sizeof(Lanes);
  std::size_t i = 0;
  while (words[i] == 0) ++i;
  return 8 * i + static_cast<std::size_t>(std::countr_zero(words[i])) / 8;
}

}  // namespace json
