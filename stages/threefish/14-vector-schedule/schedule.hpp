// The table of subkeys, made with vectors.
#pragma once

#include <bit>
#include <utility>

#include "threefish/12-small-messages/subkeys.hpp"

namespace threefish {
namespace {

using Four = std::uint64_t __attribute__((vector_size(sizeof(Block))));

// Two vectors give subkey s: words s to s + 3 of the key, modulo 5, and what is added to them. There is no loop, so s
// and the indices are constants.
template <unsigned... s>
Subkeys make_subkeys(const Extended& from, std::integer_sequence<unsigned, s...>) {
  const auto& [key, tweak] = from;
  const Four keys[] = {{key[0], key[1], key[2], key[3]},
                       {key[1], key[2], key[3], key[4]},
                       {key[2], key[3], key[4], key[0]},
                       {key[3], key[4], key[0], key[1]},
                       {key[4], key[0], key[1], key[2]}};
  const Four tweaks[] = {{0, tweak[0], tweak[1], 0}, {0, tweak[1], tweak[2], 0}, {0, tweak[2], tweak[0], 0}};
  return {std::bit_cast<Block>(keys[s % 5] + tweaks[s % 3] + Four{0, 0, 0, s})...};
}

Subkeys make_subkeys(const Extended& from) {
  return make_subkeys(from, std::make_integer_sequence<unsigned, last + 1>());
}

}  // namespace
}  // namespace threefish
