// A barrier that keeps four streams interleaved.
#pragma once

#include "hmac-sha1/25-on-the-fly-schedule/steps.hpp"

namespace hmac_sha1 {

struct Interleaved : NoBarriers {
  // All streams pass here together, so the compiler cannot do more steps of one before it does those of the others.
  [[gnu::always_inline]] static void steps(Hash (&)[1]) {}  // nothing to interleave
  [[gnu::always_inline]] static void steps(Hash (&hash)[2]) { asm("" : "+x"(hash[0].abcd), "+x"(hash[1].abcd)); }
  [[gnu::always_inline]] static void steps(Hash (&hash)[4]) {
    asm("" : "+x"(hash[0].abcd), "+x"(hash[1].abcd), "+x"(hash[2].abcd), "+x"(hash[3].abcd));
  }
};

}  // namespace hmac_sha1
