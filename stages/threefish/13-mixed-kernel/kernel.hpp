// The kernel of sets and single blocks, for as many blocks as they hold.
#pragma once

#include "threefish/13-mixed-kernel/mixed.hpp"

namespace threefish {
namespace {

// Not inlined, so that the sets have all registers for themselves. The single blocks are the last ones.
template <std::size_t... i, std::size_t... k>
[[gnu::noinline]] void cipher_mixed(Block* blocks, const auto& ciphered, std::index_sequence<i...>,
                                    std::index_sequence<k...>) {
  Block* const others = blocks + sizeof...(i) * width;
  Mixed<sizeof...(i), sizeof...(k)> mixed{{load(blocks + i * width)...}, {others[k]...}};
  ciphered(mixed);
  (store(blocks + i * width, mixed.vectors[i]), ...);
  ((others[k] = mixed.scalars[k]), ...);
}

template <std::size_t sets, std::size_t singles>
void cipher_mixed(Block* blocks, const auto& ciphered) {
  cipher_mixed(blocks, ciphered, std::make_index_sequence<sets>(), std::make_index_sequence<singles>());
}

}  // namespace
}  // namespace threefish
