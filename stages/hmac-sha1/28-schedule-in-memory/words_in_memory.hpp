// A barrier that keeps the message schedule in memory.
#pragma once

#include "hmac-sha1/27-interleaving-barrier/barrier.hpp"

namespace hmac_sha1 {

struct WordsInMemory : Interleaved {
  // The value in memory may have changed, so the compiler keeps no copy of it in a register.
  [[gnu::always_inline]] static void words(Four& four) { asm("" : "+m"(four)); }
};

}  // namespace hmac_sha1
