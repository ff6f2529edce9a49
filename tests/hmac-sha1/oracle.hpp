// SHA-1 and HMAC by the standards' own words: FIPS 180-4 and RFC 2104. Shares no code with any stage.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hmac_sha1::oracle {

using Bytes = std::vector<std::uint8_t>;

Bytes sha1(std::span<const std::uint8_t> message);
Bytes hmac(std::span<const std::uint8_t> key, std::span<const std::uint8_t> message);

}  // namespace hmac_sha1::oracle
