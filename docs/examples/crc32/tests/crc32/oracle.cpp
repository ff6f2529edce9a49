#include "oracle.hpp"

namespace crc::oracle {
namespace {

std::uint32_t mirrored(std::uint32_t word) {
  std::uint32_t other = 0;
  for (unsigned bit = 0; bit < 32; ++bit) other |= (word >> bit & 1) << (31 - bit);
  return other;
}

}  // namespace

// The usual way round: bit 31 of the register is that of x^31, and leaves it to the left.
std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
  std::uint32_t rest = mirrored(~crc);
  for (const std::uint8_t byte : bytes) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const bool subtract = (rest >> 31) != (byte >> bit & 1u);
      rest <<= 1;
      if (subtract) rest ^= 0x04C11DB7;
    }
  }
  return ~mirrored(rest);
}

}  // namespace crc::oracle
