// A word of two messages, or of two groups of messages: two words of any type, and the operators of a step.
#pragma once

#include "hmac-sha1/02-registers/words.hpp"

namespace hmac_sha1 {

template <class Half>
struct Pair {
  Half a, b;
};
template <class Half>
static Pair<Half> operator+(Pair<Half> x, Pair<Half> y) {
  return {x.a + y.a, x.b + y.b};
}
template <class Half>
static Pair<Half> operator+(Pair<Half> x, Word y) {
  return {x.a + y, x.b + y};
}
template <class Half>
static Pair<Half> operator&(Pair<Half> x, Pair<Half> y) {
  return {x.a & y.a, x.b & y.b};
}
template <class Half>
static Pair<Half> operator|(Pair<Half> x, Pair<Half> y) {
  return {x.a | y.a, x.b | y.b};
}
template <class Half>
static Pair<Half> operator^(Pair<Half> x, Pair<Half> y) {
  return {x.a ^ y.a, x.b ^ y.b};
}
template <class Half>
static Pair<Half> operator<<(Pair<Half> x, int n) {
  return {x.a << n, x.b << n};
}
template <class Half>
static Pair<Half> operator>>(Pair<Half> x, int n) {
  return {x.a >> n, x.b >> n};
}

}  // namespace hmac_sha1
