// Two sources of subkeys, a table or key and tweak: the rounds take either.
#pragma once

#include <utility>

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

constexpr unsigned last = rounds / 4;  // the number of the last subkey

// Key and tweak, each with the word that is computed from the others.
struct Extended {
  std::uint64_t key[5], tweak[3];
};

Extended extend(const Key& key, const Tweak& tweak) {
  return {{key[0], key[1], key[2], key[3], parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]},
          {tweak[0], tweak[1], tweak[0] ^ tweak[1]}};
}

Block subkey(const Extended& from, unsigned s) {
  return {from.key[s % 5], from.key[(s + 1) % 5] + from.tweak[s % 3], from.key[(s + 2) % 5] + from.tweak[(s + 1) % 3],
          from.key[(s + 3) % 5] + s};
}

using Subkeys = std::array<Block, last + 1>;

const Block& subkey(const Subkeys& subkeys, unsigned s) { return subkeys[s]; }

// Eight rounds at a time; s counts subkeys, from the first or from the last. With a table this is a loop. On the fly
// there is no loop, so that every index into key and tweak is a constant.
[[gnu::always_inline]] inline void each_eight(const Subkeys&, auto step) {
  for (unsigned s = 0; s < last; s += 2) step(s);
}

[[gnu::always_inline]] inline void each_eight(const Extended&, auto step) {
  [&]<unsigned... i>(std::integer_sequence<unsigned, i...>) {
    (step(2 * i), ...);
  }(std::make_integer_sequence<unsigned, last / 2>());
}

}  // namespace
}  // namespace threefish
