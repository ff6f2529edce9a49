// Copies in place of ciphering, so that the adapter of a library is timed alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ladder {

inline void copy(std::uint8_t* out, const std::uint8_t* in, std::size_t size) {
  if (size != 0 && out != in) std::memcpy(out, in, size);
}

}  // namespace ladder
