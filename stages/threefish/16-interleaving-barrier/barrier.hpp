// A barrier that keeps a word of vectors and a word of a single block together.
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

}  // namespace
}  // namespace threefish
