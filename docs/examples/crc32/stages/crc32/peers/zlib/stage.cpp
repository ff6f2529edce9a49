// zlib: its crc32.
// links: zlib
#include <zlib.h>

#include "crc32/crc32.hpp"

namespace crc {

// zlib answers 0 where there are no bytes at no address, whatever went before.
std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return crc;
  return static_cast<std::uint32_t>(::crc32_z(crc, bytes.data(), bytes.size()));
}

}  // namespace crc
