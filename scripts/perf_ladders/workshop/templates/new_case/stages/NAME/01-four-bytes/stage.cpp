// Shorten the dependency chain: four bytes for each step of the hash.
#include "NAME/NAME.hpp"

std::uint32_t SPACE::hash(std::span<const std::uint8_t> bytes) {
  constexpr std::uint32_t square = 31 * 31, cube = 31 * square, fourth = 31 * cube;
  std::uint32_t hash = 0;
  for (; bytes.size() >= 4; bytes = bytes.subspan(4)) {
    hash = fourth * hash + (cube * bytes[0] + square * bytes[1] + 31u * bytes[2] + bytes[3]);
  }
  for (const std::uint8_t byte : bytes) hash = 31 * hash + byte;
  return hash;
}
