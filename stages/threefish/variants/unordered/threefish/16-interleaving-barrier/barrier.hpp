// No barrier: the compiler orders vectors and single blocks as it likes.
#pragma once

#include "threefish/06-transposed/transpose.hpp"

namespace threefish {
namespace {

[[gnu::always_inline]] inline void keep_together(Lanes&, std::uint64_t&) {}

}  // namespace
}  // namespace threefish
