// CRC-32 as zlib, gzip and PNG use it: the polynomial of IEEE 802.3, over bytes.
#pragma once

#include <cstdint>
#include <span>

namespace crc {

// Bit 31 stands for x^0, for the lowest bit of a byte goes first; x^32 is left out.
constexpr std::uint32_t polynomial = 0xEDB88320;

// Contract: `crc` is the CRC of the bytes so far, or 0. Returns the CRC of these bytes followed by `bytes`. So a
// message may come in pieces. Any number of bytes, none included, at any address; no byte outside is read. Keeps no
// state between calls, so threads may call at once. Cannot fail.
std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes);

}  // namespace crc
