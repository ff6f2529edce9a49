// Sets in vectors and single blocks in scalar registers, which go through the rounds together.
#pragma once

#include "threefish/06-transposed/transpose.hpp"

namespace threefish {
namespace {

template <std::size_t sets, std::size_t singles>
struct Mixed {
  std::array<Set, sets> vectors;
  std::array<Block, singles> scalars;
};

}  // namespace
}  // namespace threefish
