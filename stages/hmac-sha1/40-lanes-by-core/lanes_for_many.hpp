// Eight lanes for many jobs, and streams of SHA instructions for up to four.
#pragma once

#include <span>

#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/33-compaction/few_unequal.hpp"
#include "hmac-sha1/39-eight-lanes/fours_of_eight.hpp"
#include "hmac-sha1/40-lanes-by-core/cleared_streams.hpp"

namespace hmac_sha1 {

// Sorted jobs. A few that are left over from groups of eight are the shortest.
template <class Barriers>
class LanesForMany {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    const std::size_t over = jobs.size() % lanes_of<EightLanes>, few = over <= 4 ? over : 0;
    if (few != 0) streams_(jobs.first(few), summary);
    lanes_(jobs.subspan(few), summary);
  }

 private:
  ClearThen<FewUnequal<Barriers>> streams_;
  LaneProcessor<EightLanes, FoursOfEight> lanes_;
};

}  // namespace hmac_sha1
