// The key schedule: a table of all subkeys.
#pragma once

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

using Subkeys = std::array<Block, rounds / 4 + 1>;

Subkeys make_subkeys(const Key& key, const Tweak& tweak) {
  const std::uint64_t words[5] = {key[0], key[1], key[2], key[3], parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]};
  const std::uint64_t tweaks[3] = {tweak[0], tweak[1], tweak[0] ^ tweak[1]};
  Subkeys subkeys;
  for (unsigned s = 0; s < subkeys.size(); ++s) {
    for (unsigned i = 0; i < 4; ++i) subkeys[s][i] = words[(s + i) % 5];
    subkeys[s][1] += tweaks[s % 3];
    subkeys[s][2] += tweaks[(s + 1) % 3];
    subkeys[s][3] += s;
  }
  return subkeys;
}

}  // namespace
}  // namespace threefish
