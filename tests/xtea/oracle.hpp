// XTEA from its specification, for comparison only: D. Wheeler and R. Needham, "Tea extensions" (1997).
#pragma once

#include <cstdint>

#include "xtea/xtea.hpp"

namespace xtea::oracle {

// The key word that Feistel round `round` (0, 1, 2, ...) adds, with its multiple of delta.
std::uint32_t round_word(unsigned round, const Key& key);

std::uint64_t encrypt_block(std::uint64_t block, const Key& key, unsigned rounds = 2 * cycles);
std::uint64_t decrypt_block(std::uint64_t block, const Key& key, unsigned rounds = 2 * cycles);

}  // namespace xtea::oracle
