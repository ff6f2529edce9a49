// Each step of the rounds changes a set, then a single block, and so on. The barrier keeps this order.
#pragma once

#include <algorithm>

#include "threefish/13-mixed-kernel/mixed.hpp"
#include "threefish/16-interleaving-barrier/barrier.hpp"

namespace threefish {
namespace {

[[gnu::always_inline]] inline void keep_together(Set& set, Block& block) {
  keep_together(set[0], block[0]), keep_together(set[1], block[1]);
  keep_together(set[2], block[2]), keep_together(set[3], block[3]);
}

// A set and a single block in turn, as long as there are both.
template <std::size_t i = 0, std::size_t sets, std::size_t singles>
[[gnu::always_inline]] inline void each(Mixed<sets, singles>& mixed, auto change) {
  if constexpr (i < sets) change(mixed.vectors[i]);
  if constexpr (i < singles) change(mixed.scalars[i]);
  if constexpr (i < std::min(sets, singles)) keep_together(mixed.vectors[i], mixed.scalars[i]);
  if constexpr (i + 1 < std::max(sets, singles)) each<i + 1>(mixed, change);
}

}  // namespace
}  // namespace threefish
