// Words of any type: a scalar, several scalars, or a vector that holds the same word of several messages.
#pragma once

#include "hmac-sha1/02-schedule-ring/words.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

template <class AnyWord>
using StateOf = std::array<AnyWord, 5>;
template <class AnyWord>
using BlockOf = std::array<AnyWord, words>;  // words t - 16 to t - 1 of the message schedule, each in place t % 16

template <class AnyWord>
[[gnu::always_inline]] static inline AnyWord rotl(AnyWord x, int n) {
  return x << n | x >> (32 - n);
}

// Operations that a stage may replace.
struct Operations {
  template <class AnyWord>
  [[gnu::always_inline]] static AnyWord majority(AnyWord b, AnyWord c, AnyWord d) {
    return (b & c) | (d & (b | c));
  }
  // `sum` has the operands of a step that do not depend on the step before.
  template <class AnyWord>
  [[gnu::always_inline]] static AnyWord early_sum(AnyWord sum) {
    return sum;
  }
};

}  // namespace hmac_sha1
