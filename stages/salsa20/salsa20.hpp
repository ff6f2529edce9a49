// Salsa20 (D. J. Bernstein, 2005): a stream cipher. Key, nonce and block number give 64 bytes of key stream.
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

// Contract: writes `in` xor the key stream from block `counter` on to `out`, which has the same size. Any number of
// bytes, also none; after block 2^64 - 1 the key stream continues with block 0. `out` is `in` or does not overlap it;
// both may be at any address; nothing outside them is touched; key and nonce lie outside `out`.
// Keeps no state between calls, so threads may call at once. Cannot fail.
void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter);

}  // namespace salsa20
