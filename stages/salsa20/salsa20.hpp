// Salsa20 (D. J. Bernstein, 2005): a stream cipher that makes 64 bytes of key stream from key, nonce and block number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <salsa20/constants.hpp>
#include <span>

namespace salsa20 {

using Key = std::span<const std::uint8_t>;  // 16 or 32 bytes
using Nonce = std::array<std::uint8_t, 8>;

constexpr std::size_t words = 16;  // of 32 bits, lowest byte first: a block of the key stream
constexpr std::size_t block_bytes = 4 * words;

// Contract: writes `in` xor the key stream from its block `counter` on to `out`, which has room for as many bytes. Any
// number of bytes, none included; the key stream after block 2^64 - 1 is block 0 again. `out` is `in` or lies wholly
// apart from it, and both stand at any address; nothing outside them is touched; key and nonce lie outside `out`.
// Keeps no state between calls, so threads may call at once. Cannot fail.
void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter);

}  // namespace salsa20
