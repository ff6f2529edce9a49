// XTEA from its specification, for comparison only: D. Wheeler and R. Needham, "Tea extensions" (1997). It knows that a
// variant may leave the cipher out.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "xtea/xtea.hpp"

namespace xtea::oracle {

// The key word that Feistel round `round` (0, 1, 2, ...) adds, with its multiple of delta.
std::uint32_t round_word(unsigned round, const Key& key);

std::uint64_t encrypt_block(std::uint64_t block, const Key& key, unsigned rounds = 2 * cycles);
std::uint64_t decrypt_block(std::uint64_t block, const Key& key, unsigned rounds = 2 * cycles);

using BlockCipher = std::uint64_t (*)(std::uint64_t, const Key&, unsigned);

// Compares `places` blocks of `now`, chosen at random, with the result of `calls` calls of `cipher` on the blocks of
// `first`. Returns an empty string, or the difference in one sentence.
std::string difference(std::span<const std::uint64_t> first, std::span<const std::uint64_t> now, BlockCipher cipher,
                       const Key& key, std::size_t calls, std::size_t places);

}  // namespace xtea::oracle
