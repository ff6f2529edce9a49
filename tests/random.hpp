// Random bytes, the same everywhere for the same seed; for check.cpp of each case.
#pragma once

#include <cstdint>
#include <vector>

#include "common/bytes.hpp"

namespace ladder {

inline std::vector<std::uint8_t> random_bytes(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint8_t> bytes(count);
  Generator(seed).fill(bytes);
  return bytes;
}

}  // namespace ladder
