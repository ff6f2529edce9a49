#include "common/places.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>

namespace {

// SplitMix64. Functions that are instantiated with this local type are local, too. So no function of a stage can take
// their place.
struct Fresh {
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()() {
    result_type x = state += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }

  result_type state;
};

}  // namespace

std::vector<std::size_t> ladder::drawn(std::size_t of, std::size_t places) {
  std::vector<std::size_t> all(of);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (places >= of) return all;
  std::random_device device;
  std::vector<std::size_t> some;
  std::sample(all.begin(), all.end(), std::back_inserter(some), places,
              Fresh{std::uint64_t{device()} << 32 | device()});
  return some;
}
