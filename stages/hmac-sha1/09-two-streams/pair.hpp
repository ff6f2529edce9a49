// A word of two messages, or of two groups of messages: two words of any type, and the operators of a step.
#pragma once

#include "hmac-sha1/02-schedule-ring/words.hpp"

namespace hmac_sha1 {

template <class Half>
struct Pair {
  Half a, b;

  friend Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
  friend Pair operator+(Pair x, Word y) { return {x.a + y, x.b + y}; }
  friend Pair operator&(Pair x, Pair y) { return {x.a & y.a, x.b & y.b}; }
  friend Pair operator|(Pair x, Pair y) { return {x.a | y.a, x.b | y.b}; }
  friend Pair operator^(Pair x, Pair y) { return {x.a ^ y.a, x.b ^ y.b}; }
  friend Pair operator<<(Pair x, int n) { return {x.a << n, x.b << n}; }
  friend Pair operator>>(Pair x, int n) { return {x.a >> n, x.b >> n}; }
};

}  // namespace hmac_sha1
