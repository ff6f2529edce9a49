// DES, three of it, and chaining, bit by bit, for comparison only: FIPS 46-3 (1999), and FIPS 81 (1980) for the chain.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "des3-cbc/des3_cbc.hpp"

namespace des3_cbc::oracle {

using Bytes = std::vector<std::uint8_t>;

enum class Direction { encrypt, decrypt };

// One DES of a block under a key of 64 bits; bit 1 of the standard is the highest.
std::uint64_t des(std::uint64_t block, std::uint64_t key, Direction direction);

// `bytes`, whole blocks, under a key of 24 bytes, chained to an iv of 8.
Bytes encrypt(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> key, std::span<const std::uint8_t> iv);
Bytes decrypt(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> key, std::span<const std::uint8_t> iv);

using Cipher = Bytes (*)(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> key,
                         std::span<const std::uint8_t> iv);

// Compares the output of `places` jobs, drawn at random, with what `cipher` makes of their input; `calls` is the number
// of the call that made it. Empty, or what is wrong in one sentence.
std::string difference(std::span<const Job> jobs, Cipher cipher, std::size_t calls, std::size_t places);

}  // namespace des3_cbc::oracle
