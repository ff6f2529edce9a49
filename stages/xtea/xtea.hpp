// XTEA (Needham and Wheeler, 1997) in electronic-codebook mode, as a game server ciphers its messages.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace xtea {

using Key = std::array<std::uint32_t, 4>;  // 128 bits as four words

constexpr std::uint32_t delta = 0x9E3779B9;  // added to `sum` in each cycle: 2^32 over the golden ratio
constexpr unsigned cycles = 32;              // a cycle is two of the 64 Feistel rounds

// A block is 64 bits: its left half in the low 32 bits of the word, its right half in the high 32.
// Contract: ciphers every block of `blocks` in place, independently of the others; any number of blocks, also none.
// `blocks` is aligned to 8 bytes and to nothing wider; no byte outside it is touched; `key` lies outside it.
// Keeps no state between calls, so threads may call at once on blocks of their own. Cannot fail.
void encrypt(std::span<std::uint64_t> blocks, const Key& key);
void decrypt(std::span<std::uint64_t> blocks, const Key& key);  // undoes encrypt

}  // namespace xtea
