// Loads a block of each lane as whole vectors, and transposes them.
#pragma once

#include <cstring>

#include "hmac-sha1/07-generic-steps/any_word.hpp"
#include "hmac-sha1/13-transpose/transpose.hpp"

namespace hmac_sha1 {

// The 64 bytes at the place of each lane, as words in the byte order of memory.
template <class Vector>
[[gnu::always_inline]] static inline void load_rows(BlockOf<Vector>& rows, const std::uint8_t* const* at) {
  constexpr std::size_t lanes = lanes_of<Vector>;
  for (std::size_t part = 0; part < words; part += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      std::memcpy(&rows[part + lane], at[lane] + 4 * part, sizeof(Vector));
  }
  transpose(rows);
}

template <class Lanes>
[[gnu::always_inline]] static inline BlockOf<Lanes> load_reversed(const std::uint8_t* const* at) {
  BlockOf<Lanes> w;
  load_rows(w, at);
  for (Lanes& word : w) word = bytes_reversed(word);
  return w;
}

}  // namespace hmac_sha1
