// Salsa20 from its specification, for comparison only: D. J. Bernstein, "Salsa20 specification" (2005), with its names.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace salsa20::oracle {

using Four = std::array<std::uint32_t, 4>;
using Matrix = std::array<Four, 4>;  // row by row
using Block = std::array<std::uint8_t, 64>;

Four quarterround(const Four& y);
Matrix rowround(const Matrix& y);
Matrix columnround(const Matrix& x);
Matrix doubleround(const Matrix& x);
Block hash(const Block& x, unsigned rounds);

// The expansion function: a key of 16 or 32 bytes, and 16 bytes that are nonce and block number in the cipher.
Block expansion(std::span<const std::uint8_t> key, std::span<const std::uint8_t> n, unsigned rounds);

// Block number `counter` of the key stream.
Block key_stream(std::span<const std::uint8_t> key, std::span<const std::uint8_t> nonce, std::uint64_t counter,
                 unsigned rounds);

// The output of a call for a message.
struct Ciphered {
  std::array<std::uint8_t, 8> nonce;
  std::span<const std::uint8_t> in, out;
};

// Compares `places` blocks of all messages, drawn at random, with the oracle; `calls` is the number of the call that
// made them. Empty, or what is wrong in one sentence.
std::string difference(std::span<const Ciphered> messages, std::span<const std::uint8_t> key, std::size_t calls,
                       std::size_t places);

}  // namespace salsa20::oracle
