// Threefish-256 (Ferguson and others, the block cipher of Skein) in electronic-codebook mode: one key, one tweak.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <threefish/constants.hpp>

namespace threefish {

using Block = std::array<std::uint64_t, 4>;  // 256 bits; as bytes, each word has its lowest byte first
using Key = std::array<std::uint64_t, 4>;
using Tweak = std::array<std::uint64_t, 2>;

constexpr unsigned rounds = 72;  // before every fourth, and after the last, a subkey is added

// Contract: ciphers every block of `blocks` in place, independently of the others; any number of blocks, also none.
// `blocks` is aligned to 8 bytes and to nothing wider; no byte outside it is touched; key and tweak lie outside it.
// Keeps no state between calls, so threads may call at once on blocks of their own. Cannot fail.
void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak);
void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak);  // undoes encrypt

}  // namespace threefish
