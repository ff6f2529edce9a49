// A pair of vectors as the lanes of a group: masks, loads and stores, besides the operators of a step.
#pragma once

#include <algorithm>
#include <span>

#include "hmac-sha1/09-two-streams/pair.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

template <class Vector>
static Pair<Vector> operator==(Pair<Vector> x, Word y) {
  return {Vector(x.a == y), Vector(x.b == y)};
}
template <class Vector>
static Pair<Vector> operator>(Pair<Vector> x, Word y) {
  return {Vector(x.a > y), Vector(x.b > y)};
}
template <class Vector>
static Pair<Vector> select(Pair<Vector> mask, Pair<Vector> x, Pair<Vector> y) {
  return {mask.a ? x.a : y.a, mask.b ? x.b : y.b};
}
template <class Vector>
static Pair<Vector> bytes_reversed(Pair<Vector> x) {
  return {bytes_reversed(x.a), bytes_reversed(x.b)};
}

template <class Vector>
[[gnu::always_inline]] static inline void load_rows(BlockOf<Pair<Vector>>& w, const std::uint8_t* const* at) {
  BlockOf<Vector> a, b;
  load_rows(a, at);
  load_rows(b, at + lanes_of<Vector>);
  for (std::size_t i = 0; i < words; ++i) w[i] = {a[i], b[i]};
}

template <class Vector>
static void store_digests(std::span<Job* const> jobs, const StateOf<Pair<Vector>>& states) {
  StateOf<Vector> a, b;
  for (int i = 0; i < 5; ++i) a[i] = states[i].a, b[i] = states[i].b;
  const std::size_t first = std::min(lanes_of<Vector>, jobs.size());
  store_digests(jobs.first(first), a);
  store_digests(jobs.subspan(first), b);
}

}  // namespace hmac_sha1
