// SHA-1 and HMAC by the standards' own words: FIPS 180-4 and RFC 2104. Shares no code with any stage.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hmac_sha1::oracle {

using Bytes = std::vector<std::uint8_t>;

Bytes sha1(std::span<const std::uint8_t> message);
Bytes hmac(std::span<const std::uint8_t> key, std::span<const std::uint8_t> message);

// What a call made of a message; without a key it is SHA-1 alone.
struct Hashed {
  std::optional<std::span<const std::uint8_t>> key;
  std::span<const std::uint8_t> message, digest;
};

// Compares `places` digests, drawn at random, with the oracle; `calls` is the number of the call that made them. Empty,
// or what is wrong in one sentence.
std::string difference(std::span<const Hashed> messages, std::size_t calls, std::size_t places);

}  // namespace hmac_sha1::oracle
