// Chooses streams or lanes for jobs that are left over, by the cycles that their lengths cost.
#pragma once

#include <algorithm>
#include <span>

#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/33-compaction/few_unequal.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// Shortest first. On a Zen 5 core a block of all lanes takes seven units of time, where one of four streams takes four.
// Each group ends with the block of an outer hash; without keys there is none, but the model counts it.
static inline bool streams_pay(std::span<Job* const> jobs) {
  std::size_t in_streams = 0, in_lanes = 0;
  for (std::size_t end = jobs.size(); end > 0; end -= std::min<std::size_t>(end, 4)) {
    const std::size_t blocks = blocks_of(*jobs[end - 1]) + 1;
    in_streams += 4 * blocks;
    in_lanes = std::max(in_lanes, 7 * blocks);
  }
  return in_streams < in_lanes;
}

// Sorted jobs. Those that are left over from groups of lanes are the shortest. A group that is alone is asked, too.
template <class Lanes, class Blocks, class Barriers>
class ByCost {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    constexpr std::size_t lanes = lanes_of<Lanes>;
    const std::size_t over = jobs.size() == lanes ? lanes : jobs.size() % lanes;
    const std::size_t few = streams_pay(jobs.first(over)) ? over : 0;
    if (few != 0) streams_(jobs.first(few), summary);
    lanes_(jobs.subspan(few), summary);
  }

 private:
  FewUnequal<Barriers> streams_;
  LaneProcessor<Lanes, Blocks> lanes_;
};

}  // namespace hmac_sha1
