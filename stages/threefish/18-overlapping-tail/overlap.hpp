// The kernel of sets and single blocks, for one set of blocks or more. The last set or the single blocks may overlap
// the sets before. Fewer blocks are padded.
#pragma once

#include <algorithm>

#include "threefish/13-mixed-kernel/mixed.hpp"

namespace threefish {
namespace {

// The single blocks are the last ones. Without them the last set ends with the blocks. Either may overlap the sets
// before. All blocks are loaded before the first is stored, so blocks that are there twice get the same result twice.
// The span of a whole group has a static size, so its places are constants. Not inlined, so that the sets have all
// registers for themselves. With kernels for groups and for rests, GCC and Clang inline all rounds only by `flatten`.
template <std::size_t... i, std::size_t... k>
[[gnu::noinline, gnu::flatten]] void cipher_mixed(auto blocks, const auto& ciphered, std::index_sequence<i...>,
                                                  std::index_sequence<k...>) {
  constexpr std::size_t sets = sizeof...(i), singles = sizeof...(k);
  Block* const others = blocks.data() + blocks.size() - singles;
  const auto begin = [&](std::size_t set) {
    return singles == 0 && set == sets - 1 ? others - width : blocks.data() + set * width;
  };
  Mixed<sets, singles> mixed{{load(begin(i))...}, {others[k]...}};
  ciphered(mixed);
  (store(begin(i), mixed.vectors[i]), ...);
  ((others[k] = mixed.scalars[k]), ...);
}

template <std::size_t sets, std::size_t singles>
void cipher_mixed(auto blocks, const auto& ciphered) {
  cipher_mixed(blocks, ciphered, std::make_index_sequence<sets>(), std::make_index_sequence<singles>());
}

// Less than a set, in a copy.
void cipher_padded(std::span<Block> rest, const auto& ciphered) {
  std::array<Block, width> padded{};
  std::copy(rest.begin(), rest.end(), padded.begin());
  cipher_mixed<1, 0>(std::span(padded), ciphered);
  std::copy_n(padded.begin(), rest.size(), rest.begin());
}

}  // namespace
}  // namespace threefish
