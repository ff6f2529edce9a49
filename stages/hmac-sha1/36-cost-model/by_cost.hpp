// Chooses streams or lanes for jobs that are left over from groups of lanes: what takes fewer cycles by their lengths.
#pragma once

#include <algorithm>
#include <span>

#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/33-compaction/few_unequal.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// Shortest first. A block of all lanes takes two units of time, and a block of four streams takes one. Each group ends
// with the block of its outer hash.
static inline bool streams_pay(std::span<Job* const> jobs) {
  std::size_t in_streams = 0, in_lanes = 0;
  for (std::size_t end = jobs.size(); end > 0; end -= std::min<std::size_t>(end, 4)) {
    const std::size_t blocks = blocks_of(*jobs[end - 1]) + 1;
    in_streams += blocks;
    in_lanes = std::max(in_lanes, 2 * blocks);
  }
  return in_streams < in_lanes;
}

// Sorted jobs. Those that are left over are the shortest.
template <class Lanes, class Blocks, class Barriers>
class ByCost {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    const std::size_t over = jobs.size() % lanes_of<Lanes>, few = streams_pay(jobs.first(over)) ? over : 0;
    if (few != 0) streams_(jobs.first(few), summary);
    lanes_(jobs.subspan(few), summary);
  }

 private:
  FewUnequal<Barriers> streams_;
  LaneProcessor<Lanes, Blocks> lanes_;
};

}  // namespace hmac_sha1
