// Chooses streams, half of the lanes or all of them for jobs that are left over, by the cycles that their lengths cost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// Cycles of a block in streams, in half of the lanes and in all of them.
struct Costs {
  std::size_t one, two, four, half, all;
};

// FewUnequal hashes four jobs so: all go until the second has ended, then two, then the last one. Each group ends
// with the block of an outer hash; without keys there is none, but the model counts it.
static inline std::size_t cost_of_four(const Costs& costs, std::size_t second, std::size_t third, std::size_t fourth) {
  return costs.four * (second + 1) + costs.two * (third - second) + costs.one * (fourth - third);
}

// Shortest first.
static inline std::size_t cost_in_streams(const Costs& costs, std::span<Job* const> jobs) {
  const auto blocks = [&](std::size_t i) { return blocks_of(*jobs[i]); };
  std::size_t cost = 0, i = jobs.size() % 4;
  if (i == 1) cost = costs.one * (blocks(0) + 1);
  if (i == 2) cost = costs.two * (blocks(1) + 1);
  if (i == 3) cost = cost_of_four(costs, blocks(0), blocks(1), blocks(2));  // the shortest fills the fourth place
  for (; i < jobs.size(); i += 4) cost += cost_of_four(costs, blocks(i + 1), blocks(i + 2), blocks(i + 3));
  return cost;
}

// Sorted jobs. Those that are left over from groups of all lanes are the shortest. The model also decides for a lone
// group.
template <class Streams, class Half, class All, std::size_t lanes, const Costs& costs>
class ByCost {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    const std::span few = jobs.first(jobs.size() == lanes ? lanes : jobs.size() % lanes);
    if (few.empty()) return all_(jobs, summary);
    const std::size_t until_longest = blocks_of(*few.back()) + 1;  // lanes go on so long
    const std::size_t in_half = few.size() <= lanes / 2 ? costs.half * until_longest : SIZE_MAX;
    const std::size_t in_all = costs.all * until_longest;
    if (cost_in_streams(costs, few) < std::min(in_half, in_all)) {
      streams_(few, summary);
    } else if (in_half < in_all) {
      half_(few, summary);
    } else {
      return all_(jobs, summary);
    }
    all_(jobs.subspan(few.size()), summary);
  }

 private:
  Streams streams_;
  Half half_;
  All all_;
};

}  // namespace hmac_sha1
