// Reference: one byte after the other.
#include "NAME/NAME.hpp"

std::uint32_t SPACE::hash(std::span<const std::uint8_t> bytes) {
  std::uint32_t hash = 0;
  for (const std::uint8_t byte : bytes) hash = 31 * hash + byte;
  return hash;
}
