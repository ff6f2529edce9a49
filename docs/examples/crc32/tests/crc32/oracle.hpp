// CRC-32 by long division, for comparison only: W. W. Peterson and D. T. Brown, "Cyclic codes for error detection"
// (1961).
#pragma once

#include <cstdint>
#include <span>

namespace crc::oracle {

std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes);

}  // namespace crc::oracle
