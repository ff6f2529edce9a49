#include "oracle.hpp"

namespace SPACE::oracle {

// From the last byte to the first, with a power of 31 that grows.
std::uint32_t hash(std::span<const std::uint8_t> bytes) {
  std::uint32_t sum = 0, power = 1;
  for (std::size_t i = bytes.size(); i-- > 0; power *= 31) sum += power * bytes[i];
  return sum;
}

}  // namespace SPACE::oracle
