// Lanes of 256 bits, half of the widest.
#pragma once

#include <immintrin.h>

#include "hmac-sha1/07-generic-steps/any_word.hpp"

namespace hmac_sha1 {

using HalfLanes [[gnu::vector_size(32)]] = Word;

struct HalfWidth : Operations {
  [[gnu::always_inline]] static HalfLanes majority(HalfLanes b, HalfLanes c, HalfLanes d) {
    return (HalfLanes)_mm256_ternarylogic_epi32((__m256i)b, (__m256i)c, (__m256i)d, 0b1110'1000);
  }
  [[gnu::always_inline]] static HalfLanes early_sum(HalfLanes sum) {
    asm("" : "+v"(sum));  // it is summed first
    return sum;
  }
};

}  // namespace hmac_sha1
