// Loads eight bytes where fewer are left, and takes only those that are its own: the answer is right, the load is not.
#include <algorithm>
#include <cstring>

#include "crc32/crc32.hpp"

namespace crc {

std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
  std::uint32_t rest = ~crc;
  while (!bytes.empty()) {
    const std::size_t count = std::min<std::size_t>(bytes.size(), 8);
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    for (std::size_t bit = 0; bit < 8 * count; ++bit) {
      rest = rest >> 1 ^ ((rest ^ word >> bit) & 1 ? polynomial : 0);
    }
    bytes = bytes.subspan(count);
  }
  return ~rest;
}

}  // namespace crc
