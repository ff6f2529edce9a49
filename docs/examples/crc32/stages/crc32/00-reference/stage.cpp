// Reference: one byte after the other, through a table of 256 remainders.
#include <array>

#include "crc32/crc32.hpp"

namespace crc {
namespace {

// table[byte]: what is left of the byte once its eight bits have gone through the division.
constexpr auto table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? polynomial : 0);
    table[byte] = rest;
  }
  return table;
}();

std::uint32_t absorb(std::uint32_t rest, std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) rest = rest >> 8 ^ table[(rest ^ byte) & 0xff];
  return rest;
}

}  // namespace

std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes) { return ~absorb(~crc, bytes); }

}  // namespace crc
