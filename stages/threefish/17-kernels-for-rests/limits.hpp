// The limits of a level: which kernel takes how many blocks.
#pragma once

#include "threefish/06-transposed/transpose.hpp"

namespace threefish {
namespace {

// Trials chose `few`: on Zen 5 for x86-64-v4, on Zen 3 for x86-64-v3. x86-64 keeps the four of stage kernel-selection;
// no other number was tried there.
struct Limits {
  std::size_t few;           // that many blocks, or fewer, go through scalar registers alone
  std::size_t sets, beside;  // else that many sets of vectors go together, each with that many single blocks, 0 or 1
};

constexpr Limits limits = width == 8   ? Limits{.few = 3, .sets = 6, .beside = 0}  // 32 vector registers
                          : width == 4 ? Limits{.few = 3, .sets = 3, .beside = 1}
                                       : Limits{.few = 4, .sets = 3, .beside = 1};

}  // namespace
}  // namespace threefish
