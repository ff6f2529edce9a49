#include "oracle.hpp"

#include <array>

#include "common/places.hpp"

namespace crc::oracle {
namespace {

std::uint32_t mirrored(std::uint32_t word) {
  std::uint32_t other = 0;
  for (unsigned bit = 0; bit < 32; ++bit) other |= (word >> bit & 1) << (31 - bit);
  return other;
}

// A million calls of the oracle would take too long. But a call on the same bytes is linear in the bits of the CRC
// that it begins with: so ask once for none of them, once for each, and add up.
std::uint32_t after_calls(std::span<const std::uint8_t> packet, std::size_t calls) {
  const std::uint32_t of_none = update(0, packet);
  std::array<std::uint32_t, 32> of_bit;
  for (unsigned bit = 0; bit < 32; ++bit) of_bit[bit] = update(1u << bit, packet) ^ of_none;
  std::uint32_t crc = 0;
  for (std::size_t call = 0; call < calls; ++call) {
    std::uint32_t next = of_none;
    for (unsigned bit = 0; bit < 32; ++bit) next ^= crc >> bit & 1 ? of_bit[bit] : 0;
    crc = next;
  }
  return crc;
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

std::string difference(std::span<const std::vector<std::uint8_t>> packets, std::span<const std::uint32_t> crcs,
                       std::size_t calls, std::size_t places) {
  for (const std::size_t i : ladder::drawn(packets.size(), places)) {
    if (crcs[i] == after_calls(packets[i], calls)) continue;
    return "the CRC of packet " + std::to_string(i) + " of " + std::to_string(packets.size()) +
           " is not what the oracle gives after " + std::to_string(calls) + " calls";
  }
  return {};
}

}  // namespace crc::oracle
