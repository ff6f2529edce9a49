// A barrier that keeps the words of a set and the words of a single block together.
#pragma once

#include "threefish/06-transposed/transpose.hpp"

namespace threefish {
namespace {

// No instruction. The compiler cannot move later operations on one word before earlier ones on the other.
[[gnu::always_inline]] inline void keep_together(Lanes& vectors, std::uint64_t& scalar) {
#if defined(__x86_64__)
  asm("" : "+x"(vectors), "+r"(scalar));
#else
  asm("" : "+w"(vectors), "+r"(scalar));  // AArch64
#endif
}

[[gnu::always_inline]] inline void keep_together(Set& set, Block& block) {
  keep_together(set[0], block[0]), keep_together(set[1], block[1]);
  keep_together(set[2], block[2]), keep_together(set[3], block[3]);
}

}  // namespace
}  // namespace threefish
