// Threefish-256 from its specification, for comparison only: N. Ferguson and others, "The Skein Hash Function Family",
// version 1.3 (2010), section 3.3. The constants of older versions are an argument.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "threefish/threefish.hpp"

namespace threefish::oracle {

struct Constants {
  int rotations[8][2];   // R_{d,j} of table 4
  std::uint64_t parity;  // C_240

  bool operator==(const Constants&) const = default;
};

// The version that the stage is built with.
Constants built_in();

// k_s: what is added to the words before round 4 s, and in the end.
Block subkey(unsigned s, const Key& key, const Tweak& tweak, const Constants& constants);

// The two parts of round d: both mixes, and the permutation of the words. `unmix` undoes the first, the second undoes
// itself.
Block mix(const Block& words, unsigned d, const Constants& constants);
Block unmix(const Block& words, unsigned d, const Constants& constants);
Block permute(const Block& words);

Block plus(const Block& words, const Block& subkey);
Block minus(const Block& words, const Block& subkey);

Block encrypt_block(const Block& block, const Key& key, const Tweak& tweak, const Constants& constants = built_in());
Block decrypt_block(const Block& block, const Key& key, const Tweak& tweak, const Constants& constants = built_in());

using BlockCipher = Block (*)(const Block&, const Key&, const Tweak&, const Constants&);

// Compares `places` blocks of `now`, chosen at random, with the result of `calls` calls of `cipher` on the blocks of
// `first`. Returns an empty string, or the difference in one sentence.
std::string difference(std::span<const Block> first, std::span<const Block> now, BlockCipher cipher, const Key& key,
                       const Tweak& tweak, std::size_t calls, std::size_t places);

}  // namespace threefish::oracle
