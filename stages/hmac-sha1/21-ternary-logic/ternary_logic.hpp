// The majority of three words by one instruction of AVX-512.
#pragma once

#include <immintrin.h>

#include "hmac-sha1/07-generic-steps/any_word.hpp"

namespace hmac_sha1 {

struct TernaryLogic : Operations {
  // The constant is a truth table: the result for each value of three input bits, 1 where two or three of them are 1.
  template <class Lanes>
  [[gnu::always_inline]] static Lanes majority(Lanes b, Lanes c, Lanes d) {
    return (Lanes)_mm512_ternarylogic_epi32((__m512i)b, (__m512i)c, (__m512i)d, 0b1110'1000);
  }
};

}  // namespace hmac_sha1
