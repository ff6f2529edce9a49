// Which kernel takes the blocks that do not fill a group.
#pragma once

#include "threefish/17-kernels-for-rests/limits.hpp"
#include "threefish/18-overlapping-tail/overlap.hpp"

namespace threefish {
namespace {

constexpr std::size_t group = limits.sets * (width + limits.beside);  // blocks that go together
constexpr std::size_t most_singles = 3;                               // the words of four do not fit into registers

// Less than a group: the fewest sets, and as many single blocks as are left over.
template <std::size_t sets = 1, std::size_t singles = 0>
void cipher_rest(std::span<Block> rest, const auto& ciphered) {
  constexpr std::size_t most = sets * width + singles;
  if constexpr (most < group - 1) {
    constexpr bool beside = singles < most_singles;
    if (rest.size() > most) return cipher_rest<beside ? sets : sets + 1, beside ? singles + 1 : 0>(rest, ciphered);
  }
  cipher_mixed<sets, singles>(rest, ciphered);
}

}  // namespace
}  // namespace threefish
