// A few blocks in scalar registers.
#pragma once

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

// One to `count` blocks, in scalar registers. GCC inlines all 72 rounds only because of `flatten`, Clang only
// because of the attributes of the lambdas. Without these the words are in memory. Blocks are copied word by word,
// because whole ones would go through vectors.
template <std::size_t count>
[[gnu::noinline, gnu::flatten]] void cipher_few(std::span<Block> blocks, const auto& ciphered) {
  if constexpr (count > 1) {
    if (blocks.size() < count) return cipher_few<count - 1>(blocks, ciphered);
  }
  std::array<Block, count> few;
  for (std::size_t i = 0; i < count; ++i) few[i] = {blocks[i][0], blocks[i][1], blocks[i][2], blocks[i][3]};
  ciphered(few);
  for (std::size_t i = 0; i < count; ++i) blocks[i] = {few[i][0], few[i][1], few[i][2], few[i][3]};
}

}  // namespace
}  // namespace threefish
