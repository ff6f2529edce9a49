// Forgets the last bytes where their number is no multiple of four. `check` must reject it.
#include "NAME/NAME.hpp"

std::uint32_t SPACE::hash(std::span<const std::uint8_t> bytes) {
  std::uint32_t hash = 0;
  for (const std::uint8_t byte : bytes.first(bytes.size() / 4 * 4)) hash = 31 * hash + byte;
  return hash;
}
