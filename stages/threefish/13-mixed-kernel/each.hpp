// Each step of the rounds changes the sets, then the single blocks.
#pragma once

#include "threefish/12-small-messages/rounds.hpp"
#include "threefish/13-mixed-kernel/mixed.hpp"

namespace threefish {
namespace {

template <std::size_t sets, std::size_t singles>
[[gnu::always_inline]] inline void each(Mixed<sets, singles>& mixed, auto change) {
  each(mixed.vectors, change);
  each(mixed.scalars, change);
}

}  // namespace
}  // namespace threefish
