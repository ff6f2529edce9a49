// CRC-32 by long division, for comparison only: W. W. Peterson and D. T. Brown, "Cyclic codes for error detection"
// (1961).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crc::oracle {

std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes);

// Compares `places` CRCs, drawn at random, with those of the packets after so many calls, each of which continued from
// the CRC that the last one left. Empty, or what is wrong in one sentence.
std::string difference(std::span<const std::vector<std::uint8_t>> packets, std::span<const std::uint32_t> crcs,
                       std::size_t calls, std::size_t places);

}  // namespace crc::oracle
