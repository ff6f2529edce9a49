#include "common/places.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>

std::vector<std::size_t> ladder::drawn(std::size_t of, std::size_t places) {
  std::vector<std::size_t> all(of);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (places >= of) return all;
  std::mt19937_64 generator(std::random_device{}());
  std::vector<std::size_t> some;
  std::sample(all.begin(), all.end(), std::back_inserter(some), places, generator);
  return some;
}
